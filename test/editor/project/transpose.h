// TILE is defined by the build.
#pragma once

__global__ void transposeNaive(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  out[x * height + y] = in[y * width + x];
}

__global__ void transposeTiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int column = blockIdx.y * TILE + threadIdx.x;
  const int row = blockIdx.x * TILE + threadIdx.y;
  out[row * height + column] = tile[threadIdx.x][threadIdx.y];
}
