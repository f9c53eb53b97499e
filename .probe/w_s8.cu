#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k168(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
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
__global__ void k169(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
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
__global__ void k170(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k171(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k172(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
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
__global__ void k173(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
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
__global__ void k174(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k175(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
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
__global__ void k176(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
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
__global__ void k177(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k178(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
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
__global__ void k179(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[320];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
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
__global__ void k180(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k181(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k188(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k189(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[1024];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[384];
  for (int i = threadIdx.x; i < 1024; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k190(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k191(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k192(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[128];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k193(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[1024];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[384];
  for (int i = threadIdx.x; i < 1024; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k194(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k195(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k196(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[768];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[288];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 48);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k197(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k198(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[128];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k199(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[768];
  __shared__ __align__(128) signed char sb[256];
  __shared__ __align__(128) int sc[288];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 48);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k200(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k201(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k208(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[128];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k209(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[768];
  __shared__ __align__(128) int sc[288];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 48);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k210(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k211(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k212(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[128];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k213(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[1024];
  __shared__ __align__(128) int sc[288];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 1024; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k214(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k215(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k216(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[768];
  __shared__ __align__(128) int sc[384];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 48);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k217(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k218(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[256];
  __shared__ __align__(128) signed char sb[512];
  __shared__ __align__(128) int sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k219(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) signed char sa[512];
  __shared__ __align__(128) signed char sb[1024];
  __shared__ __align__(128) int sc[384];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 1024; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k220(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k221(const signed char* a, const signed char* b, const int* c, int* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,signed char,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,signed char,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,int> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k168<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k169<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k170<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k171<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k172<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k173<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k174<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k175<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k176<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k177<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k178<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k179<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,20);
  k180<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k181<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,16);
  k188<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k189<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,12);
  k190<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k191<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k192<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k193<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,12);
  k194<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k195<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,16,32);
  k196<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),48,32,36);
  k197<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,16,32);
  k198<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,16,32);
  k199<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),48,32,36);
  k200<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,16,32);
  k201<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,16,32);
  k208<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,32,32);
  k209<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,48,36);
  k210<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,32,32);
  k211<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,32,32);
  k212<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,32);
  k213<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,36);
  k214<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,32);
  k215<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,32,8);
  k216<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,48,12);
  k217<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,32,8);
  k218<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k219<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),32,32,12);
  k220<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  k221<<<1,32>>>((signed char*)buf,(signed char*)(buf+65536),(int*)(buf+131072),(int*)(buf+196608),16,16,8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
