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
__global__ void dump182(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump183(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump184(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump185(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump186(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump187(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 16, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump202(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump203(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump204(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 8, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump205(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump206(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump207(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,32,8,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 32, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump222(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump223(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 32);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump224(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 32, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump225(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump226(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const signed char*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump227(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,32,16,int> f;
  wmma::load_matrix_sync(f, (const int*)raw, 8, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
int main() { char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump182<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 a row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump182<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 a row ld=16 pass=8", (double*)out);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump183<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 b row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump183<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 b row ld=16 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump184<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 c row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump185<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 a col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump185<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 a col ld=16 pass=8", (double*)out);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump186<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 b col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump186<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 b col ld=16 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump187<<<1,32>>>((char*)buf,(double*)out); show("s8 int 16x16x16 c col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump202<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 a row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 8); cudaMemset(out,0,65536); dump202<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 a row ld=16 pass=8", (double*)out);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump203<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 b row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump203<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 b row ld=16 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump204<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 c row ld=8 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump205<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 a col ld=32 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 8); cudaMemset(out,0,65536); dump205<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 a col ld=32 pass=8", (double*)out);
  fill<signed char>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump206<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 b col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 128, 8); cudaMemset(out,0,65536); dump206<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 b col ld=16 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump207<<<1,32>>>((char*)buf,(double*)out); show("s8 int 32x8x16 c col ld=32 pass=0", (double*)out);
  fill<signed char>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump222<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 a row ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 128, 8); cudaMemset(out,0,65536); dump222<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 a row ld=16 pass=8", (double*)out);
  fill<signed char>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump223<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 b row ld=32 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 8); cudaMemset(out,0,65536); dump223<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 b row ld=32 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump224<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 c row ld=32 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump225<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 a col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 256, 8); cudaMemset(out,0,65536); dump225<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 a col ld=16 pass=8", (double*)out);
  fill<signed char>((char*)buf, 512, 0); cudaMemset(out,0,65536); dump226<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 b col ld=16 pass=0", (double*)out);
  fill<signed char>((char*)buf, 512, 8); cudaMemset(out,0,65536); dump226<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 b col ld=16 pass=8", (double*)out);
  fill<int>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump227<<<1,32>>>((char*)buf,(double*)out); show("s8 int 8x32x16 c col ld=8 pass=0", (double*)out);
}
