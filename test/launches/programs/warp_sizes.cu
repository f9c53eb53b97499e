// A library whose blocks are as many lanes wide as a warp, which code elsewhere has asked the device for.
struct Facts {
  struct {
    int cores, warp_size;
  } devices[8];
};
const Facts &facts();
int current();

__global__ void rows(float *a) {}
__global__ void row(float *a) {}
__global__ void cells(float *a) {}

static void launchRows(float *a, const int warp_size) {
  const dim3 block(warp_size, 4);
  rows<<<2, block>>>(a);
}

void run(float *a) {
  cells<<<2, 64>>>(a);
  const int warp_size = facts().devices[current()].warp_size;
  launchRows(a, warp_size);
}

// Elsewhere it is a parameter; how many cores there are no name tells.
void runRow(float *a, int warpSize) { row<<<facts().devices[current()].cores, 2 * warpSize>>>(a); }
//> cells grid (2,1,1) block (64,1,1) x1 args ?p:a@null path 20
//> rows grid (2,1,1) block (32,4,1) x1 args ?p:a@null path 16 22 | the GPU is NVIDIA's (warps of 32)
//> row grid (?,1,1) block (64,1,1) x1 args ?p:a@null path 26 | the GPU is NVIDIA's (warps of 32)
