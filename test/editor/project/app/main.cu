#include "transpose.h"
#include "sums.h"

int main() {
  const int width = 1024, height = 2048;
  float *a, *b;
  cudaMalloc(&a, width * height * sizeof(float));
  cudaMalloc(&b, width * height * sizeof(float));
  const dim3 grid(width / TILE, height / TILE);
  const dim3 block(TILE, TILE);
  transposeNaive<<<grid, block>>>(b, a, width, height);
  for (int i = 0; i < 10; i++) transposeTiled<<<grid, block>>>(b, a, width, height);
  sumRows(b, a, width, height);
  cudaDeviceSynchronize();
}
