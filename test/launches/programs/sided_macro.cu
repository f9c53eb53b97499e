// A macro that says `__device__` to the device's compiler alone: the host calls what it stands before.
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
#define CPU_AND_GPU __device__
#else
#define CPU_AND_GPU
#endif

struct Extent {
  int x, y;
  CPU_AND_GPU Extent() {}
  CPU_AND_GPU Extent(int across, int down) { x = across; y = down; }
  CPU_AND_GPU Extent halved() const { return Extent(x / 2, y / 2); }
};

CPU_AND_GPU inline int blocksFor(int count, int threads) { return (count + threads - 1) / threads; }

__global__ void shrink(float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width && blockIdx.y < height) out[blockIdx.y * width + x] = 0;
}

int main() {
  float *image;
  cudaMalloc(&image, 64 * 100 * sizeof(float));
  Extent extent(200, 64);
  for (int level = 0; level < 2; level++) {
    extent = extent.halved();
    shrink<<<dim3(blocksFor(extent.x, 64), extent.y), 64>>>(image, extent.x, extent.y);
  }
}
//> shrink grid (2,32,1) block (64,1,1) x1 args ?p:image@25600, 100, 32 path 28
//> shrink grid (1,16,1) block (64,1,1) x1 args ?p:image@25600, 50, 16 path 28
