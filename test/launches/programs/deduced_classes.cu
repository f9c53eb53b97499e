// Classes whose template arguments are not written: pairs, tuples and arrays of sizes, and a program's own.
//> fill grid (2,1,1) block (32,1,1) x1 args ?p:p@4096 path 53
//> fill grid (3,1,1) block (64,1,1) x1 args ?p:p@4096 path 55
//> fill grid (4,1,1) block (96,1,1) x1 args ?p:p@4096 path 57
//> fill grid (5,1,1) block (96,1,1) x1 args ?p:p@4096 path 59
//> fill grid (6,1,1) block (32,1,1) x1 args ?p:p@4096 path 61
//> fill grid (7,1,1) block (64,1,1) x1 args ?p:p@4096 path 63
//> fill grid (8,1,1) block (64,1,1) x1 args ?p:p@4096 path 65
//> fill grid (9,1,1) block (32,1,1) x1 args ?p:p@4096 path 68
//> fill grid (10,1,1) block (32,1,1) x1 args ?p:p@4096 path 70
//> fill grid (11,1,1) block (64,1,1) x1 args ?p:p@4096 path 71 71
//> fill grid (12,1,1) block (32,1,1) x1 args ?p:p@4096 path 72
//> fill grid (13,1,1) block (64,1,1) x1 args ?p:p@4096 path 72
//> fill grid (14,1,1) block (32,1,1) x1 args ?p:p@4096 path 74
//> fill grid (15,1,1) block (32,1,1) x1 args ?p:p@4096 path 77
//> fill grid (16,1,1) block (96,1,1) x1 args ?p:p@4096 path 79
//> fill grid (17,1,1) block (32,1,1) x1 args ?p:p@4096 path 80
//> fill grid (18,1,1) block (32,1,1) x1 args ?p:p@4096 path 82
//> fill grid (19,1,1) block (32,2,1) x1 args ?p:p@4096 path 83
//> fill grid (20,1,1) block (96,1,1) x1 args ?p:p@4096 path 88
//> fill grid (21,1,1) block (96,1,1) x1 args ?p:p@4096 path 89
//> fill grid (16,1,1) block (32,1,1) x1 args ?p:p@4096 path 90
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

__global__ void fill(int* p) { p[threadIdx.x] = 1; }

template <typename T>
struct Range {
  T first, last;
  Range(T a, T b) : first(a), last(b) {}
  T size() const { return last - first; }
};
template <typename A, typename B>
struct Shape {
  A rows;
  B columns;
};
template <typename A, typename B>
Shape(A, B) -> Shape<A, B>;

auto shapeOf(int factor) { return std::pair(factor, 96); }
struct Size { int blocks, threads; };
int blocksOf(const Size& size) { return size.blocks; }

int main() {
  int* p;
  cudaMalloc(&p, 4096);
  Range range(10, 12);
  fill<<<range.size(), 32>>>(p);
  Shape shape{3, 64};
  fill<<<shape.rows, shape.columns>>>(p);
  auto [blocks, threads] = shapeOf(4);
  fill<<<blocks, threads>>>(p);
  const std::pair both{5, 96};
  fill<<<both.first, both.second>>>(p);
  std::array sizes{6, 32};
  fill<<<sizes[0], std::get<1>(sizes)>>>(p);
  std::tuple settings{7, 64, 1.f};
  fill<<<std::get<0>(settings), std::get<1>(settings)>>>(p);
  auto [first, second, third] = settings;
  fill<<<first + 1, second>>>(p);
  int grid, block;
  std::tie(grid, block) = std::make_tuple(9, 32);
  fill<<<grid, block>>>(p);
  std::tie(grid, std::ignore) = std::pair(10, 1);
  fill<<<grid, block>>>(p);
  std::apply([&](int g, int b, float) { fill<<<g + 4, b>>>(p); }, settings);
  for (auto [g, b] : {std::pair{12, 32}, std::pair{13, 64}}) fill<<<g, b>>>(p);
  const auto& [rows, columns] = std::array{14, 32};
  fill<<<rows, columns>>>(p);
  int raw[] = {15, 32};
  auto [less, more] = raw;
  fill<<<less, more>>>(p);
  std::vector list{16, 96};
  fill<<<list[0], list.back()>>>(p);
  fill<<<std::max({1, 17, 7}), 32>>>(p);
  auto [lowest, highest] = std::minmax(32, 18);
  fill<<<lowest, highest>>>(p);
  fill<<<blocksOf(Size{19, 3}), {32, 2}>>>(p);
  Size size{20, 96};
  auto [count, width] = size;
  auto& [countNow, widthNow] = size;
  size.blocks = 21;
  fill<<<count, width>>>(p);
  fill<<<countNow, widthNow>>>(p);
  fill<<<sizeof(thrust::tuple<double, int, float>), 32 * sizeof(std::tuple<char>)>>>(p);
}
