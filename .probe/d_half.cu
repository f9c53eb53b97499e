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
__global__ void dump14(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump15(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump16(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump17(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump18(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump19(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump34(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump35(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump36(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump37(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump38(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump39(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 32, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump54(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump55(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump56(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 32, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump57(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump58(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump59(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump74(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump75(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 16, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump90(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 8, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump91(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 32, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump106(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 32, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump107(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,half> f;
  wmma::load_matrix_sync(f, (const half*)raw, 8, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
int main() { char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump14<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 a row ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump15<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 b row ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump16<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 c row ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump17<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 a col ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump18<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump19<<<1,32>>>((char*)buf,(double*)out); show("half float 16x16x16 c col ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump34<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 a row ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump35<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 b row ld=8 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump36<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 c row ld=8 pass=0", (double*)out);
  fill<half>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump37<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 a col ld=32 pass=0", (double*)out);
  fill<half>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump38<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump39<<<1,32>>>((char*)buf,(double*)out); show("half float 32x8x16 c col ld=32 pass=0", (double*)out);
  fill<half>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump54<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 a row ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump55<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 b row ld=32 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump56<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 c row ld=32 pass=0", (double*)out);
  fill<half>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump57<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 a col ld=8 pass=0", (double*)out);
  fill<half>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump58<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 b col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump59<<<1,32>>>((char*)buf,(double*)out); show("half float 8x32x16 c col ld=8 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump74<<<1,32>>>((char*)buf,(double*)out); show("half half 16x16x16 c row ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump75<<<1,32>>>((char*)buf,(double*)out); show("half half 16x16x16 c col ld=16 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump90<<<1,32>>>((char*)buf,(double*)out); show("half half 32x8x16 c row ld=8 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump91<<<1,32>>>((char*)buf,(double*)out); show("half half 32x8x16 c col ld=32 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump106<<<1,32>>>((char*)buf,(double*)out); show("half half 8x32x16 c row ld=32 pass=0", (double*)out);
  fill<half>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump107<<<1,32>>>((char*)buf,(double*)out); show("half half 8x32x16 c col ld=8 pass=0", (double*)out);
}
