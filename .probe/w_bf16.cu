#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k108(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k109(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[384];
  __shared__ __align__(128) __nv_bfloat16 sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k110(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k111(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k112(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k113(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[384];
  __shared__ __align__(128) __nv_bfloat16 sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k114(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k115(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k116(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[384];
  __shared__ __align__(128) __nv_bfloat16 sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k117(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k118(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k119(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[384];
  __shared__ __align__(128) __nv_bfloat16 sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k120(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k121(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k128(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[512];
  __shared__ __align__(128) __nv_bfloat16 sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k129(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[768];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k130(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k131(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k132(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[512];
  __shared__ __align__(128) __nv_bfloat16 sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k133(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[768];
  __shared__ __align__(128) __nv_bfloat16 sb[192];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k134(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k135(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[512];
  __shared__ __align__(128) __nv_bfloat16 sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k136(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[640];
  __shared__ __align__(128) __nv_bfloat16 sb[256];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 40);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k137(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k138(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[512];
  __shared__ __align__(128) __nv_bfloat16 sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k139(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[640];
  __shared__ __align__(128) __nv_bfloat16 sb[192];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 40);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k140(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k141(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k148(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[128];
  __shared__ __align__(128) __nv_bfloat16 sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k149(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[192];
  __shared__ __align__(128) __nv_bfloat16 sb[640];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 40);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k150(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k151(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k152(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[128];
  __shared__ __align__(128) __nv_bfloat16 sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k153(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[192];
  __shared__ __align__(128) __nv_bfloat16 sb[768];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 36, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 36, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 288; i += 32) d[i] = sc[i];
}
__global__ void k154(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k155(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[128];
  __shared__ __align__(128) __nv_bfloat16 sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k156(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[640];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 40);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k157(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k158(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[128];
  __shared__ __align__(128) __nv_bfloat16 sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k159(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) __nv_bfloat16 sa[256];
  __shared__ __align__(128) __nv_bfloat16 sb[768];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 12, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 12, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k160(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k161(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,__nv_bfloat16,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,__nv_bfloat16,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k108<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k109<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k110<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k111<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k112<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k113<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k114<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k115<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k116<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k117<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k118<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k119<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k120<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k121<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k128<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k129<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,16,12);
  k130<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k131<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k132<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,8);
  k133<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,12);
  k134<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,8);
  k135<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,8,32);
  k136<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),40,16,36);
  k137<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,8,32);
  k138<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k139<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),40,24,36);
  k140<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k141<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k148<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k149<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,40,36);
  k150<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k151<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k152<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,32);
  k153<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,36);
  k154<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,32);
  k155<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,32,8);
  k156<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,40,12);
  k157<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,32,8);
  k158<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  k159<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,24,12);
  k160<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  k161<<<1,32>>>((__nv_bfloat16*)buf,(__nv_bfloat16*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
