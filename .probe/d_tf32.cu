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
__global__ void dump262(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump263(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump264(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,8,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump265(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump266(const char* raw, double* out) {
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> f;
  wmma::load_matrix_sync(f, (const float*)raw, 8);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
__global__ void dump267(const char* raw, double* out) {
  wmma::fragment<wmma::accumulator,16,16,8,float> f;
  wmma::load_matrix_sync(f, (const float*)raw, 16, wmma::mem_col_major);
  for (int i = 0; i < f.num_elements; i++) out[threadIdx.x * f.num_elements + i] = number(f.x[i]);
  if (threadIdx.x == 0) out[1023 * 4] = f.num_elements;
}
int main() { char* buf; double* out; cudaMalloc(&buf, 1<<20); cudaMalloc(&out, 1<<16);
  fill<float>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump262<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 a row ld=8 pass=0", (double*)out);
  fill<float>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump263<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 b row ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump264<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 c row ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump265<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 a col ld=16 pass=0", (double*)out);
  fill<float>((char*)buf, 128, 0); cudaMemset(out,0,65536); dump266<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 b col ld=8 pass=0", (double*)out);
  fill<float>((char*)buf, 256, 0); cudaMemset(out,0,65536); dump267<<<1,32>>>((char*)buf,(double*)out); show("tf32 float 16x16x8 c col ld=16 pass=0", (double*)out);
}
