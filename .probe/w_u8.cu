#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k228(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[256];
  __shared__ __align__(128) unsigned char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k229(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[512];
  __shared__ __align__(128) unsigned char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k230(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k231(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k232(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[256];
  __shared__ __align__(128) unsigned char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k233(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[512];
  __shared__ __align__(128) unsigned char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k234(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k235(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[256];
  __shared__ __align__(128) unsigned char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k236(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[512];
  __shared__ __align__(128) unsigned char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k237(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k238(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[256];
  __shared__ __align__(128) unsigned char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k239(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) unsigned char sa[512];
  __shared__ __align__(128) unsigned char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k240(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k241(const unsigned char* a, const unsigned char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,unsigned char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,unsigned char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k228<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k229<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k230<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k231<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k232<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k233<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k234<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k235<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k236<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k237<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k238<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k239<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k240<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k241<<<1,32>>>((unsigned char*)buf,(unsigned char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
