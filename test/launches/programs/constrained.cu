// Templates whose parameters concepts constrain, and launches that a fold makes one after the other.
//> turn<Rows<32>,float> grid (1,1,1) block (32,1,1) x1 args ?p:p@4096, 1024 path 40 54
//> turn<Rows<33>,float> grid (1,1,1) block (32,1,1) x1 args ?p:p@4096, 1056 path 40 54
//> turn<Rows<8>,double> grid (2,1,1) block (32,1,1) x1 args ?p:q@8192, 5 path 55
//> turn<Rows<8>,float,int,short> grid (3,1,1) block (32,1,1) x1 args ?p:p@4096, 6 path 56
//> count<int> grid (1,1,1) block (64,1,1) x1 args 7, ?p:counts@1024 path 44 57
//> count<int> grid (2,1,1) block (64,1,1) x1 args 7, ?p:counts@1024 path 44 57
template <class L>
concept Layout = requires(int row, int column) {
  { L::offset(row, column) } -> std::convertible_to<int>;
};
template <class T>
concept Narrow = sizeof(T) < 8;

template <int N>
struct Rows {
  static constexpr int size = 32 * N;
  static constexpr int offset(int row, int column) { return row * N + column; }
};

template <Layout L, std::floating_point T = float, Narrow... More>
__global__ void turn(T* p, int n) {
  p[threadIdx.x] = n;
}

template <Narrow T>
__global__ void fill(T* p) {
  p[threadIdx.x] = 1;
}
template <class T>
  requires(!Narrow<T>)
__global__ void fill(T* p) {
  p[threadIdx.x] = 2;
}

__global__ void count(std::integral auto n, int* p) { p[threadIdx.x] = n; }

template <class... Layouts>
void turnEach(float* p) {
  (turn<Layouts><<<1, 32>>>(p, Layouts::size), ...);
}
template <int... Blocks>
void countEach(int* p) {
  (..., count<<<Blocks, 64>>>(7, p));
}

int main() {
  float* p;
  double* q;
  int* counts;
  cudaMalloc(&p, 4096);
  cudaMalloc(&q, 8192);
  cudaMalloc(&counts, 1024);
  turnEach<Rows<32>, Rows<33>>(p);
  turn<Rows<8>, double><<<2, 32>>>(q, 5);
  turn<Rows<8>, float, int, short><<<3, 32>>>(p, 6);
  countEach<1, 2>(counts);
  // Which of the two fills is meant hangs on what concepts say, which are not evaluated.
  fill<<<9, 32>>>(q);
}
