#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;

__device__ double number(half v) { return (double)*(unsigned short*)&v; }
__device__ double number(__nv_bfloat16 v) { return (double)*(unsigned short*)&v; }
__device__ double number(signed char v) { return (double)(unsigned char)v; }
__device__ double number(unsigned char v) { return (double)v; }
__device__ double number(float v) { return (double)v; }
__device__ double number(int v) { return (double)v; }
__device__ double number(double v) { return v; }
template <typename T> void fill(char* buf, int n, int shift) {
  static char host[1<<16];
  for (int i = 0; i < n; i++) {
    if (sizeof(T) == 8) ((double*)host)[i] = i;
    else if (sizeof(T) == 4) { if (T(0.5) == T(0)) ((int*)host)[i] = i; else ((float*)host)[i] = i; }
    else if (sizeof(T) == 2) ((unsigned short*)host)[i] = i;
    else host[i] = (i >> shift) & 255;
  }
  cudaMemcpy(buf, host, n * sizeof(T), cudaMemcpyHostToDevice);
}
void show(const char* name, double* out) {
  static double host[8192]; cudaMemcpy(host, out, 65536, cudaMemcpyDeviceToHost);
  int n = (int)host[4092]; printf("%s n=%d:", name, n);
  for (int i = 0; i < 32 * n; i++) printf(" %d", (int)host[i]);
  printf("\n");
}
__global__ void dump122(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump123(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump124(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump125(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump126(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump127(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump142(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump143(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump144(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump145(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump146(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump147(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 32, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump162(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump163(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump164(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 32, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump165(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump166(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const __nv_bfloat16*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump167(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
int main() { char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);
  fill<__nv_bfloat16>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump122<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 a row ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump123<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 b row ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump124<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 c row ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump125<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 a col ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump126<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump127<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 16x16x16 c col ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump142<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 a row ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump143<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 b row ld=8 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump144<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 c row ld=8 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump145<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 a col ld=32 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump146<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump147<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 32x8x16 c col ld=32 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump162<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 a row ld=16 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump163<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 b row ld=32 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump164<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 c row ld=32 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump165<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 a col ld=8 pass=0", (double*)out);
  fill<__nv_bfloat16>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump166<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump167<<<1,32>>>((char*)buf,(double*)out); show("bf16 float 8x32x16 c col ld=8 pass=0", (double*)out);
}
