// A loop of unknown end that changes one member leaves the others, and one that only tries again with what it had stands for all.
//> strided grid (?,5,1) block (64,2,1) x1 args  path 13
//> measured grid (3,1,1) block (64,1,1) x1 args ?p:data@256 path 16 | host condition `i < repeat` true at least once
__global__ void strided() {}
__global__ void measured(float *data) {}
float *advanced(float *data) { return data; }

int main(int argc, char **argv) {
  int target, repeat;
  scanf("%d %d", &target, &repeat);
  dim3 grid(1, 5), block(64, 2);
  for (grid.x = 1; grid.x < target; grid.x *= 2) continue;
  strided<<<grid, block>>>();
  float *data;
  cudaMalloc(&data, 256);
  for (int i = 0; i < repeat; i++) measured<<<3, 64>>>(advanced(data));
}
