#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k268(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[32];
  __shared__ __align__(128) double sb[32];
  __shared__ __align__(128) double sc[64];
  for (int i = threadIdx.x; i < 32; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 32; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 64; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 4);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = sc[i];
}
__global__ void k269(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[48];
  __shared__ __align__(128) double sb[40];
  __shared__ __align__(128) double sc[80];
  for (int i = threadIdx.x; i < 48; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 40; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 80; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 6);
  wmma::load_matrix_sync(fb, sb, 10);
  wmma::load_matrix_sync(fc, sc, 10, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 10, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 80; i += 32) d[i] = sc[i];
}
__global__ void k270(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k271(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k272(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[32];
  __shared__ __align__(128) double sb[32];
  __shared__ __align__(128) double sc[64];
  for (int i = threadIdx.x; i < 32; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 32; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 64; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 4);
  wmma::load_matrix_sync(fb, sb, 4);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = sc[i];
}
__global__ void k273(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[48];
  __shared__ __align__(128) double sb[48];
  __shared__ __align__(128) double sc[80];
  for (int i = threadIdx.x; i < 48; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 48; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 80; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 6);
  wmma::load_matrix_sync(fb, sb, 6);
  wmma::load_matrix_sync(fc, sc, 10, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 10, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 80; i += 32) d[i] = sc[i];
}
__global__ void k274(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 4);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k275(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[32];
  __shared__ __align__(128) double sb[32];
  __shared__ __align__(128) double sc[64];
  for (int i = threadIdx.x; i < 32; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 32; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 64; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = sc[i];
}
__global__ void k276(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[40];
  __shared__ __align__(128) double sb[40];
  __shared__ __align__(128) double sc[80];
  for (int i = threadIdx.x; i < 40; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 40; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 80; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 10);
  wmma::load_matrix_sync(fb, sb, 10);
  wmma::load_matrix_sync(fc, sc, 10, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 10, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 80; i += 32) d[i] = sc[i];
}
__global__ void k277(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k278(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[32];
  __shared__ __align__(128) double sb[32];
  __shared__ __align__(128) double sc[64];
  for (int i = threadIdx.x; i < 32; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 32; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 64; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 4);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) d[i] = sc[i];
}
__global__ void k279(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) double sa[40];
  __shared__ __align__(128) double sb[48];
  __shared__ __align__(128) double sc[80];
  for (int i = threadIdx.x; i < 40; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 48; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 80; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, sa, 10);
  wmma::load_matrix_sync(fb, sb, 6);
  wmma::load_matrix_sync(fc, sc, 10, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 10, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 80; i += 32) d[i] = sc[i];
}
__global__ void k280(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 4);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k281(const double* a, const double* b, const double* c, double* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,8,4,double,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,8,4,double,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,8,4,double> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k268<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),4,8,8);
  k269<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),6,10,10);
  k270<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),4,8,8);
  k271<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),4,8,8);
  k272<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),4,4,8);
  k273<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),6,6,10);
  k274<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),4,4,8);
  k275<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),8,8,8);
  k276<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),10,10,10);
  k277<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),8,8,8);
  k278<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),8,4,8);
  k279<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),10,6,10);
  k280<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),8,4,8);
  k281<<<1,32>>>((double*)buf,(double*)(buf+65536),(double*)(buf+131072),(double*)(buf+196608),8,4,8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
