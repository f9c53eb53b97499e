#include "sums.h"

__global__ void rowSums(float* sums, const float* values, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int column = 0; column < width; column++) sum += values[row * width + column];
  sums[row] = sum;
}

void sumRows(float* sums, const float* values, int width, int height) {
  rowSums<<<height / 256, 256>>>(sums, values, width);
}
