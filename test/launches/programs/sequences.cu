// Launches for each of a list of indices, and template arguments that are calls.
//> fill<0> grid (1,1,1) block (128,1,1) x1 args ?p:p@4096 path 35 39 60
//> fill<1> grid (2,1,1) block (256,1,1) x1 args ?p:p@4096 path 35 39 60
//> fill<2> grid (3,1,1) block (64,1,1) x1 args ?p:p@4096 path 35 39 60
//> fill<0> grid (2,1,1) block (128,1,1) x1 args ?p:p@4096 path 35 62
//> fill<1> grid (4,1,1) block (256,1,1) x1 args ?p:p@4096 path 35 62
//> fill<2> grid (6,1,1) block (64,1,1) x1 args ?p:p@4096 path 35 62
//> strided<1> grid (10,1,1) block (32,1,1) x1 args ?p:p@4096 path 47 63
//> strided<2> grid (10,1,1) block (32,1,1) x1 args ?p:p@4096 path 47 63
//> strided<3> grid (11,1,1) block (32,1,1) x1 args ?p:p@4096 path 51 64
//> strided<24> grid (12,1,1) block (32,1,1) x1 args ?p:p@4096 path 52 64
//> strided<5> grid (13,1,1) block (32,1,1) x1 args ?p:p@4096 path 53 64
//> strided<6> grid (14,1,1) block (32,1,1) x1 args ?p:p@4096 path 54 64
#include <array>
#include <utility>

struct Configuration {
  int rows, threads;
};
inline constexpr Configuration configurations[] = {{1, 128}, {2, 256}, {3, 64}};

template <int I>
__global__ void fill(int* p) { p[threadIdx.x] = configurations[I].rows; }
template <int N>
__global__ void strided(int* p) { p[threadIdx.x * N] = 1; }

constexpr int divideUp(int a, int b) { return (a + b - 1) / b; }
template <typename T>
constexpr int bytesOf(int n) { return sizeof(T) * n; }
enum class Step { one = 1, five = 5 };

template <int I>
void launch(int* p, int scale) {
  constexpr auto chosen = configurations[I];
  fill<I><<<chosen.rows * scale, chosen.threads>>>(p);
}
template <std::size_t... Is>
void launchAll(std::index_sequence<Is...>, int* p) {
  (launch<static_cast<int>(Is)>(p, 1), ...);
}
template <std::size_t... Is>
constexpr std::array<void (*)(int*, int), sizeof...(Is)> tableOf(std::index_sequence<Is...>) {
  return {{&launch<Is>...}};
}
template <int... Ns>
void each(std::integer_sequence<int, Ns...>, int* p) {
  (strided<Ns + 1><<<10, 32>>>(p), ...);
}
template <int A, int B>
void calls(int* p) {
  strided<divideUp(A, B)><<<11, 32>>>(p);
  strided<bytesOf<float>(B)><<<12, 32>>>(p);
  strided<static_cast<int>(Step::five)><<<13, 32>>>(p);
  strided<int(B)><<<14, 32>>>(p);
}

int main() {
  int* p;
  cudaMalloc(&p, 4096);
  launchAll(std::make_index_sequence<sizeof(configurations) / sizeof(configurations[0])>{}, p);
  constexpr auto table = tableOf(std::make_index_sequence<3>{});
  for (auto launchOf : table) launchOf(p, 2);
  each(std::make_integer_sequence<int, 2>{}, p);
  calls<17, 6>(p);
}
