#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k0(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
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
__global__ void k1(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
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
__global__ void k2(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k3(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k4(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
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
__global__ void k5(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
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
__global__ void k6(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k7(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
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
__global__ void k8(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
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
__global__ void k9(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k10(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
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
__global__ void k11(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
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
__global__ void k12(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k13(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k20(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
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
__global__ void k21(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[768];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
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
__global__ void k22(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k23(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k24(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
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
__global__ void k25(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[768];
  __shared__ __align__(128) half sb[192];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
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
__global__ void k26(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k27(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
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
__global__ void k28(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[640];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
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
__global__ void k29(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k30(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
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
__global__ void k31(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[640];
  __shared__ __align__(128) half sb[192];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
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
__global__ void k32(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k33(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k40(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
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
__global__ void k41(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[192];
  __shared__ __align__(128) half sb[640];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
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
__global__ void k42(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k43(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k44(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
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
__global__ void k45(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[192];
  __shared__ __align__(128) half sb[768];
  __shared__ __align__(128) float sc[288];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 288; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
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
__global__ void k46(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k47(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
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
__global__ void k48(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[640];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
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
__global__ void k49(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k50(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
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
__global__ void k51(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[768];
  __shared__ __align__(128) float sc[384];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
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
__global__ void k52(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k53(const half* a, const half* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k60(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k61(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) half sc[384];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 24, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 24, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k62(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k63(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k64(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k65(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) half sc[384];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 24, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 24, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k66(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k67(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k68(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) half sc[384];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 24, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 24, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k69(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k70(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k71(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[384];
  __shared__ __align__(128) half sb[384];
  __shared__ __align__(128) half sc[384];
  for (int i = threadIdx.x; i < 384; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 384; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 384; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 24, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 24, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 384; i += 32) d[i] = sc[i];
}
__global__ void k72(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k73(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k76(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k77(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[768];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[512];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 512; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 32) d[i] = sc[i];
}
__global__ void k78(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k79(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k80(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k81(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[768];
  __shared__ __align__(128) half sb[192];
  __shared__ __align__(128) half sc[512];
  for (int i = threadIdx.x; i < 768; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 512; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 32) d[i] = sc[i];
}
__global__ void k82(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
__global__ void k83(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k84(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[640];
  __shared__ __align__(128) half sb[256];
  __shared__ __align__(128) half sc[320];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 256; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 40);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 40, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 40, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k85(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k86(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[512];
  __shared__ __align__(128) half sb[128];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 512; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 32);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k87(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[640];
  __shared__ __align__(128) half sb[192];
  __shared__ __align__(128) half sc[320];
  for (int i = threadIdx.x; i < 640; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 40);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 40, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 40, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k88(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_col_major);
}
__global__ void k89(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,32,8,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,32,8,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,32,8,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
__global__ void k92(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k93(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[192];
  __shared__ __align__(128) half sb[640];
  __shared__ __align__(128) half sc[320];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 40);
  wmma::load_matrix_sync(fc, sc, 40, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 40, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k94(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k95(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k96(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 32, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k97(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[192];
  __shared__ __align__(128) half sb[768];
  __shared__ __align__(128) half sc[320];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 40, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 40, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k98(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 32, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 32, wmma::mem_row_major);
}
__global__ void k99(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 32);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k100(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[640];
  __shared__ __align__(128) half sc[512];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 640; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 512; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 40);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 32) d[i] = sc[i];
}
__global__ void k101(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k102(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[128];
  __shared__ __align__(128) half sb[512];
  __shared__ __align__(128) half sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 512; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 8, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k103(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) half sa[256];
  __shared__ __align__(128) half sb[768];
  __shared__ __align__(128) half sc[512];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 768; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 512; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 32) d[i] = sc[i];
}
__global__ void k104(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
__global__ void k105(const half* a, const half* b, const half* c, half* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,8,32,16,half,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,8,32,16,half,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,8,32,16,half> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k0<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k1<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k2<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k3<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k4<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k5<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k6<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k7<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k8<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k9<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k10<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k11<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,20);
  k12<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k13<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k20<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k21<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,16,12);
  k22<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k23<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,8);
  k24<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,8);
  k25<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,12);
  k26<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,8);
  k27<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,8,32);
  k28<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),40,16,36);
  k29<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,8,32);
  k30<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k31<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),40,24,36);
  k32<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k33<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),32,16,32);
  k40<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k41<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,40,36);
  k42<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k43<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,32,32);
  k44<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,32);
  k45<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),24,24,36);
  k46<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,32);
  k47<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,32,8);
  k48<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,40,12);
  k49<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,32,8);
  k50<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  k51<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,24,12);
  k52<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  k53<<<1,32>>>((half*)buf,(half*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,8);
  k60<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k61<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,24);
  k62<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k63<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k64<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k65<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,24);
  k66<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k67<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k68<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,24);
  k69<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k70<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k71<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,24);
  k72<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k73<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,16);
  k76<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,8,8);
  k77<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,16,16);
  k78<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,8,8);
  k79<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,8,8);
  k80<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,8);
  k81<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,16);
  k82<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,8);
  k83<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),32,8,32);
  k84<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),40,16,40);
  k85<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),32,8,32);
  k86<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),32,16,32);
  k87<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),40,24,40);
  k88<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),32,16,32);
  k89<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),32,16,32);
  k92<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,32,32);
  k93<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,40,40);
  k94<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,32,32);
  k95<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,32,32);
  k96<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,32);
  k97<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),24,24,40);
  k98<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,16,32);
  k99<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),8,32,8);
  k100<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,40,16);
  k101<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),8,32,8);
  k102<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),8,16,8);
  k103<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),16,24,16);
  k104<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),8,16,8);
  k105<<<1,32>>>((half*)buf,(half*)(buf+65536),(half*)(buf+131072),(half*)(buf+196608),8,16,8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
