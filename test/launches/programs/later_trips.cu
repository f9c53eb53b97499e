// Loops whose ends nobody knows: the trips that are known, and one that stands for all later ones, of which what no trip changes
// is known.
//> levels grid (4,1,1) block (128,1,1) x1 args 1 path 43
//> levels grid (4,1,1) block (128,1,1) x1 args 2 path 43 | host condition `graph.goesOn` taken both ways
//> levels grid (4,1,1) block (128,1,1) x1 args ? path 43 | later iterations of the loop `graph.goesOn` as one
//> queue grid (1,1,1) block (64,1,1) x1 args ?p:from@512, ?p:to@512, 1 path 50
//> queue grid (?,1,1) block (64,1,1) x1 args ?p:to@512, ?p:from@512, ? path 50 | host condition `count > 0` taken both ways
//> endless grid (4,1,1) block (96,1,1) x1 args 1 path 58
//> endless grid (4,1,1) block (96,1,1) x1 args 2 path 58 | host condition `!changed` taken both ways
//> endless grid (4,1,1) block (96,1,1) x1 args ? path 58 | later iterations of the loop `!changed` as one
//> bounded grid (4,1,1) block (32,1,1) x1 args 0 path 64
//> bounded grid (4,1,1) block (32,1,1) x1 args 1 path 64 | host condition `!changed` taken both ways
//> again grid (4,1,1) block (160,1,1) x1 args 1 path 72
//> managed grid (4,1,1) block (192,1,1) x1 args ?p:flag@4, 1 path 86
//> managed grid (4,1,1) block (192,1,1) x1 args ?p:flag@4, 2 path 86 | host condition `!*flag` taken both ways
//> managed grid (4,1,1) block (192,1,1) x1 args ?p:flag@4, ? path 86 | later iterations of the loop `!*flag` as one
//> reader grid (7,1,1) block (192,1,1) x2 args ?p:flag@4 path 90
//> writer grid (7,1,1) block (224,1,1) x1 args ?p:flag@4 path 92
//> writer grid (?,1,1) block (224,1,1) x1 args ?p:flag@4 path 93
//> shared grid (8,1,1) block (256,1,1) x1 args  path 95
//> shared grid (?,1,1) block (256,1,1) x1 args  path 96
//> again grid (4,1,1) block (160,1,1) x1 args 2 path 72 | host condition `…` taken both ways
//> again grid (4,1,1) block (160,1,1) x1 args ? path 72 | later iterations of the loop `changed` as one
__global__ void levels(int depth) {}
__global__ void queue(int *from, int *to, int count) {}
__global__ void endless(int k) {}
__global__ void bounded(int k) {}
__global__ void again(int k) {}
__global__ void managed(int *flag, int k) {}
__global__ void reader(const int *flag) {}
__global__ void writer(int *flag) {}
__global__ void shared() {}
__managed__ int total;
struct Graph { int depth; bool goesOn; };

int main() {
  int *device, *from, *to, changed;
  cudaMalloc(&device, 4);
  Graph graph;
  graph.depth = 1;
  graph.goesOn = true;
  while (graph.goesOn) {
    levels<<<4, 128>>>(graph.depth++);
    cudaMemcpy(&graph.goesOn, device, sizeof(bool), cudaMemcpyDeviceToHost);
  }
  cudaMalloc(&from, 512);
  cudaMalloc(&to, 512);
  int count = 1;
  while (count > 0) {
    queue<<<(count + 63) / 64, 64>>>(from, to, count);
    cudaMemcpy(&count, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(from, to);
  }

  // Left from within.
  int k = 1;
  for (;;) {
    endless<<<4, 96>>>(k);
    cudaMemcpy(&changed, device, sizeof(int), cudaMemcpyDeviceToHost);
    if (!changed) break;
    k *= 2;
  }
  for (int i = 0; i < 2; i++) {
    bounded<<<4, 32>>>(i);
    cudaMemcpy(&changed, device, sizeof(int), cudaMemcpyDeviceToHost);
    if (!changed) break;
  }

  // A jump back; what is declared in it is seen behind it.
  k = 1;
tryAgain:
  again<<<4, 160>>>(k);
  int *other = device;
  cudaMemcpy(&changed, other, sizeof(int), cudaMemcpyDeviceToHost);
  if (changed) {
    k++;
    goto tryAgain;
  }

  // Managed memory: kernels write to it, unless they are given it as const.
  int *flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  for (k = 1; !*flag; k++) {
    *flag = 1;
    managed<<<4, 192>>>(flag, k);
    cudaDeviceSynchronize();
  }
  *flag = 7;
  reader<<<*flag, 192>>>(flag);
  reader<<<*flag, 192>>>(flag);
  writer<<<*flag, 224>>>(flag);
  writer<<<*flag, 224>>>(flag);
  total = 8;
  shared<<<total, 256>>>();
  shared<<<total, 256>>>();
}
