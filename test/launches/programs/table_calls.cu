// Functions that are called from a table: a statement that looks like a structured binding.
//> scale<Half> grid (4,1,1) block (64,1,1) x1 args ?p:p@1024, 256, {} path 10 15 20
//> scale<Twice> grid (8,1,1) block (32,1,1) x1 args ?p:p@1024, 256, {} path 10 16 21
//> plain grid (1,1,1) block (96,1,1) x1 args ?p:p@1024 path 11 17 22
struct Half { __device__ float operator()(float v) const { return v / 2; } };
struct Twice { __device__ float operator()(float v) const { return v * 2; } };
template <class F> __global__ void scale(float* p, int n, F f) {}
__global__ void plain(float* p) {}

template <class F, int B> static void run(float* p, int n) { scale<<<n / B, B>>>(p, n, F()); }
static void one(float* p, int n) { plain<<<1, 96>>>(p); }
typedef void (*Runner)(float*, int);
static const Runner runners[] = {run<Half, 64>, run<Twice, 32>};
static const Runner pairs[1][2] = {{run<Half, 64>, one}};
void first(int kind, float* p, int n) { runners[kind](p, n); }
void second(int kind, float* p, int n) { runners[kind](p, n * 1); }
void third(int row, int column, float* p, int n) { pairs[row][column](p, n); }
int main() {
  float* p; cudaMalloc(&p, 256 * sizeof(float));
  first(0, p, 256);
  second(1, p, 256);
  third(0, 1, p, 256);
}
