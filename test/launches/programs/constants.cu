// Template arguments that are parts of constants or chosen by traits, launchers that take kernels by address, and alternatives of a variant.
//> fill<128> grid (1,1,1) block (32,1,1) x1 args ?p:p@4096 path 56
//> fill<9> grid (2,1,1) block (32,1,1) x1 args ?p:p@4096 path 58
//> fill<6> grid (3,1,1) block (32,1,1) x1 args ?p:p@4096 path 60
//> fill<7> grid (4,1,1) block (32,1,1) x1 args ?p:p@4096 path 61
//> fill<8> grid (5,1,1) block (32,1,1) x1 args ?p:p@4096 path 62
//> copy<int> grid (6,1,1) block (96,1,1) x1 args ?p:p@4096, ?p:p@4096, 4 path 41 63
//> fill<20> grid (7,1,1) block (64,1,1) x1 args ?p:p@4096 path 49 65
//> fill<21> grid (8,1,1) block (32,1,1) x1 args ?p:p@4096 path 50 65
//> fill<22> grid (9,1,1) block (32,1,1) x1 args ?p:p@4096 path 67
#include <array>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

template <int N>
__global__ void fill(int* p) { p[threadIdx.x] = N; }
template <typename T>
__global__ void copy(const T* from, T* to, int n) { to[threadIdx.x] = from[n]; }

constexpr std::array<int, 3> sizes = [] {
  std::array<int, 3> list{};
  for (int i = 0; i < 3; ++i) list[i] = 64 << i;
  return list;
}();
template <int N>
constexpr auto squares() {
  std::array<int, N> list{};
  for (int i = 0; i < N; ++i) list[i] = i * i;
  return list;
}
template <typename T, typename = void>
struct is_wide : std::false_type {};
template <typename T>
struct is_wide<T, std::enable_if_t<(sizeof(T) >= 8)>> : std::true_type {};

struct Launch { dim3 grid, block; };
template <typename... Parameters, typename... Arguments>
void launch(const Launch& how, void (*kernel)(Parameters...), Arguments&&... arguments) {
  kernel<<<how.grid, how.block>>>(std::forward<Arguments>(arguments)...);
}

struct Rows { int count, threads; };
struct Whole { int count; };
using Job = std::variant<Rows, Whole>;
struct Runner {
  int* p;
  void operator()(const Rows& rows) const { fill<20><<<rows.count, rows.threads>>>(p); }
  void operator()(const Whole& whole) const { fill<21><<<whole.count, 32>>>(p); }
};

int main() {
  int* p;
  cudaMalloc(&p, 4096);
  fill<sizes[1]><<<1, 32>>>(p);
  constexpr auto list = squares<4>();
  fill<list[3]><<<2, 32>>>(p);
  constexpr int plain[] = {5, 6};
  fill<plain[1]><<<3, 32>>>(p);
  fill<is_wide<double>::value ? 7 : 8><<<4, 32>>>(p);
  fill<is_wide<float>::value ? 7 : 8><<<5, 32>>>(p);
  launch(Launch{6, 96}, &copy<int>, p, p + 32, 4);
  std::vector<Job> jobs{Rows{7, 64}, Whole{8}};
  for (const auto& job : jobs) std::visit(Runner{p}, job);
  for (const auto& job : jobs)
    if (std::holds_alternative<Whole>(job)) fill<22><<<std::get<Whole>(job).count + 1, 32>>>(p);
}
