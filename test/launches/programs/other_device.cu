// A program that keeps a simpler kernel for smaller GPUs.
__global__ void large(float *a) {}
__global__ void small(float *a, int n) {}
int main() {
  float *a;
  cudaMalloc(&a, 4096);
  cudaDeviceProp facts;
  cudaGetDeviceProperties(&facts, 0);
  if (facts.sharedMemPerMultiprocessor >= 65536) {
    large<<<1, 64, 256>>>(a);
  } else {
    small<<<4, 256>>>(a, 1000);
  }
}
//> large grid (1,1,1) block (64,1,1) shared 256 x1 args ?p:a@4096 path 10 | the GPU is an H200
//> small grid (4,1,1) block (256,1,1) x1 args ?p:a@4096, 1000 path 12 | the GPU is one for which the program launches it, host condition `facts.sharedMemPerMultiprocessor >= 65536` taken both ways
