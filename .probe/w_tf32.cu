#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
__global__ void k248(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[128];
  __shared__ __align__(128) float sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k249(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[192];
  __shared__ __align__(128) float sb[160];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 160; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 12);
  wmma::load_matrix_sync(fb, sb, 20);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k250(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k251(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_row_major);
}
__global__ void k252(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[128];
  __shared__ __align__(128) float sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 8);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k253(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[192];
  __shared__ __align__(128) float sb[192];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 192; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 12);
  wmma::load_matrix_sync(fb, sb, 12);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k254(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}
__global__ void k255(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[128];
  __shared__ __align__(128) float sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 16);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k256(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[160];
  __shared__ __align__(128) float sb[160];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 160; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 160; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 20);
  wmma::load_matrix_sync(fb, sb, 20);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k257(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::row_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k258(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[128];
  __shared__ __align__(128) float sb[128];
  __shared__ __align__(128) float sc[256];
  for (int i = threadIdx.x; i < 128; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 256; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 16);
  wmma::load_matrix_sync(fb, sb, 8);
  wmma::load_matrix_sync(fc, sc, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = sc[i];
}
__global__ void k259(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  __shared__ __align__(128) float sa[160];
  __shared__ __align__(128) float sb[192];
  __shared__ __align__(128) float sc[320];
  for (int i = threadIdx.x; i < 160; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 192; i += 32) sb[i] = b[i];
  for (int i = threadIdx.x; i < 320; i += 32) sc[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, sa, 20);
  wmma::load_matrix_sync(fb, sb, 12);
  wmma::load_matrix_sync(fc, sc, 20, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncthreads();
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 320; i += 32) d[i] = sc[i];
}
__global__ void k260(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}
__global__ void k261(const float* a, const float* b, const float* c, float* d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a,16,16,8,wmma::precision::tf32,wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b,16,16,8,wmma::precision::tf32,wmma::col_major> fb;
  wmma::fragment<wmma::accumulator,16,16,8,float> fc;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, ldc, wmma::mem_col_major);
}
int main() { char* buf; cudaMalloc(&buf, 1<<20); cudaMemset(buf,0,1<<20);
  k248<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,16);
  k249<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),12,20,20);
  k250<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,16);
  k251<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,16,16);
  k252<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,8,16);
  k253<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),12,12,20);
  k254<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),8,8,16);
  k255<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k256<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),20,20,20);
  k257<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,16,16);
  k258<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,16);
  k259<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),20,12,20);
  k260<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,16);
  k261<<<1,32>>>((float*)buf,(float*)(buf+65536),(float*)(buf+131072),(float*)(buf+196608),16,8,16);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
