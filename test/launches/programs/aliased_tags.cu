// Kernels whose template arguments are deduced through alias templates: tags of bool_constant, an alias of the user's own.
//> tagged<float,1> grid (1,1,1) block (64,1,1) x2 args ?p:data@256, {} path 15
//> tagged<float,0> grid (1,1,1) block (64,1,1) x1 args ?p:data@256, {} path 16
//> strided<float,4> grid (1,1,1) block (32,1,1) x1 args ?p:data@256, {} path 18
//> viewed<float> grid (1,1,1) block (96,1,1) x1 args {0:?p:data@256} path 19
template <typename T, bool IsLast> __global__ void tagged(T *data, std::bool_constant<IsLast>) {}
template <int N> using Stride = std::integral_constant<int, N>;
template <typename T, int N> __global__ void strided(T *data, Stride<N>) {}
template <typename T> struct View { T *data; };
template <typename U> using ViewOf = View<U>;
template <typename T> __global__ void viewed(ViewOf<T> view) {}
int main() {
  float *data;
  cudaMalloc(&data, 256);
  tagged<<<1, 64>>>(data, std::bool_constant<true>{});
  tagged<<<1, 64>>>(data, std::bool_constant<false>{});
  tagged<<<1, 64>>>(data, std::true_type{});
  strided<<<1, 32>>>(data, Stride<4>{});
  viewed<<<1, 96>>>(View<float>{data});
}
