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
__global__ void dump282(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const double*)raw, 4);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump283(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const double*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump284(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,8,4,double> f;
  wmma::load_matrix_sync(f, (const double*)raw, 8, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump285(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const double*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump286(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const double*)raw, 4);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump287(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,8,8,4,double> f;
  wmma::load_matrix_sync(f, (const double*)raw, 8, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
int main() { char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);
  fill<double>((char*)buf, 32, 0); cudaMemset(out,0,65536); dump282<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 a row ld=4 pass=0", (double*)out);
  fill<double>((char*)buf, 32, 0); cudaMemset(out,0,65536); dump283<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 b row ld=8 pass=0", (double*)out);
  fill<double>((char*)buf, 64, 0); cudaMemset(out,0,65536); dump284<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 c row ld=8 pass=0", (double*)out);
  fill<double>((char*)buf, 32, 0); cudaMemset(out,0,65536); dump285<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 a col ld=8 pass=0", (double*)out);
  fill<double>((char*)buf, 32, 0); cudaMemset(out,0,65536); dump286<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 b col ld=4 pass=0", (double*)out);
  fill<double>((char*)buf, 64, 0); cudaMemset(out,0,65536); dump287<<<1,32>>>((char*)buf,(double*)out); show("f64 double 8x8x4 c col ld=8 pass=0", (double*)out);
}
