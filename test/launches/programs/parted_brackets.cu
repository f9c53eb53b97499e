// `<< <` and `>> >`, which nvcc takes for the brackets of a launch: Visual Studio's formatter writes them so.
//> first grid (8,1,1) block (256,1,1) x1 args 2048 path 21
//> second<float> grid (4,1,1) block (64,1,1) shared 128 x1 args 5 path 22
//> first grid (2,1,1) block (32,1,1) x1 args 12 path 24
__global__ void first(int n) {}
template <typename T> __global__ void second(T n) {}

struct Stream {
  template <typename T> int operator<< (T value) { return value << 2; }
};

// After `operator`, `<` begins template arguments.
template <typename T> int shifted(Stream& stream) {
  return stream.operator<< <int>(3);
}

int main() {
  Stream stream;
  int n = 2048;
  int m = n >> 8;
  first << <m, 256 >> > (n);
  second<float> << <4, dim3(64), 128>>>(5.0f);
  int sum = shifted<int>(stream);
  first<<	<2, 32 >> >(sum);
}
