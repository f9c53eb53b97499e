// Loops that go on as long as the device says: what one iteration read back is not known in the next, which is looked at once more.
//> expand grid (1,1,1) block (128,1,1) x1 args 1 path 19
//> expand grid (?,1,1) block (128,1,1) x1 args ? path 19 | host condition `depth < 9 && size > 0` taken both ways
//> relax grid (4,1,1) block (128,1,1) x1 args ?p:field@256, 512 path 25
#define COUNT 512
__global__ void expand(int size) {}
__global__ void relax(float* field, int count) {}

int main() {
  float* field;
  int* next;
  float error;
  cudaMalloc(&field, 256);
  cudaMalloc(&next, 4);

  // Starts from one, and goes on from as many as were found.
  int size = 1;
  for (int depth = 0; depth < 9 && size > 0; depth++) {
    expand<<<(size + 127) / 128, 128>>>(size);
    cudaMemcpy(&size, next, sizeof(int), cudaMemcpyDeviceToHost);
  }

  // Always launches the same.
  do {
    relax<<<COUNT / 128, 128>>>(field, COUNT);
    cudaMemcpy(&error, field, sizeof(float), cudaMemcpyDeviceToHost);
  } while (error > 1e-3f);
}
