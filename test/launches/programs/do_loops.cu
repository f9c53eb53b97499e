// What a loop with its test at the end goes on by is named.
//> step grid (4,1,1) block (64,1,1) x1 args 1 path 13
//> step grid (4,1,1) block (64,1,1) x1 args 2 path 13 | host condition `changed > 0` taken both ways
//> step grid (4,1,1) block (64,1,1) x1 args ? path 13 | later iterations of the loop `changed > 0` as one
__global__ void step(int stride) {}

int main() {
  int *device, changed, stride = 1;
  cudaMalloc(&device, 4);
  do {
    int rest = 3;
    while (rest > 0) rest--;
    step<<<4, 64>>>(stride);
    stride *= 2;
    cudaMemcpy(&changed, device, sizeof(int), cudaMemcpyDeviceToHost);
  } while (changed > 0);
}
