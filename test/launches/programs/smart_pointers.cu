// Pointers that own, optionals, variants, spans and views: which object each has at every time.
//> k grid (3,1,1) block (96,1,1) x1 args 1 path 66
//> k grid (8,1,1) block (96,1,1) x1 args 2 path 68
//> k grid (5,1,1) block (64,1,1) x1 args 3 path 70
//> k grid (9,1,1) block (64,1,1) x1 args 4 path 72
//> k grid (12,1,1) block (32,1,1) x1 args 5 path 74
//> k grid (16,1,1) block (512,1,1) x1 args 6 path 77
//> k grid (14,1,1) block (512,1,1) x1 args 7 path 79
//> k grid (2,1,1) block (128,1,1) x1 args 44 path 81
//> k grid (4,1,1) block (32,1,1) x1 args 8 path 83
//> k grid (1,1,1) block (128,1,1) x1 args 9 path 85
//> k grid (1,1,1) block (32,1,1) x1 args 10 path 87
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@4000, 1000 path 89
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@8000, 2000 path 91
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@1200, 300 path 93
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@1600, 400 path 95
//> k grid (32,1,1) block (128,1,1) x1 args 11 path 98
//> k grid (1,1,1) block (160,1,1) x1 args 12 path 103
//> k grid (8,1,1) block (128,1,1) x1 args 12 path 103
//> k grid (2,1,1) block (8,1,1) x1 args 12 path 103
//> k grid (2,1,1) block (192,1,1) x1 args 17 path 105
//> k grid (1,1,1) block (224,1,1) x1 args 13 path 107
//> k grid (16,1,1) block (32,1,1) x1 args 14 path 109
//> k grid (288,1,1) block (320,1,1) x1 args 256 path 112
//> k grid (3,1,1) block (4,1,1) x1 args 1 path 115
//> k grid (5,1,1) block (32,1,1) x1 args 0 path 117
//> k grid (6,1,1) block (32,1,1) x1 args 2 path 119
//> k grid (1,1,1) block (192,1,1) x1 args 15 path 121
//> k grid (10,1,1) block (30,1,1) x1 args 6 path 125
//> k grid (5,1,1) block (15,1,1) x1 args 5 path 126
//> k grid (30,1,1) block (32,1,1) x1 args 16 path 127
//> k grid (24,1,1) block (32,1,1) x1 args 17 path 129
//> k grid (6,1,1) block (256,1,1) x1 args 32 path 131
//> k grid (1,1,1) block (32,1,1) x1 args 18 path 133
//> k grid (6,1,1) block (352,1,1) x1 args 19 path 136
//> f grid (1,1,1) block (32,1,1) x1 args ?p:q@4096, 20 path 138
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@40, 21 path 140
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
__global__ void k(int n) {}
__global__ void f(float* p, int n) {}
struct Layer { int block = 128; int grid = 2; Layer() = default; Layer(int b, int g) : block(b), grid(g) {} virtual ~Layer() = default; virtual int size() const { return block; } };
struct Wide : Layer { int factor; explicit Wide(int x) : Layer(x * 2, x), factor(x) {} int size() const override { return block * factor; } };
struct CudaDelete { void operator()(float* p) const { cudaFree(p); } };
using DevicePtr = std::unique_ptr<float, CudaDelete>;
using DeviceArray = std::unique_ptr<float[], CudaDelete>;
DevicePtr makeDevice(size_t n) { float* p = nullptr; cudaMalloc(&p, n * sizeof(float)); return DevicePtr(p); }
template <typename T> std::unique_ptr<T[], void (*)(T*)> makeArray(size_t n) { T* p; cudaMalloc((void**)&p, n * sizeof(T)); return {p, [](T* q) { cudaFree(q); }}; }
template <typename T> std::shared_ptr<T> sharedDevice(size_t n) { T* p; cudaMalloc(&p, n * sizeof(T)); return std::shared_ptr<T>(p, [](T* q) { cudaFree(q); }); }
std::optional<int> parse(const char* s) { if (s == nullptr) return std::nullopt; return std::atoi(s); }
int total(std::span<const int> s) { int t = 0; for (int x : s) t += x; return t; }
int byName(std::string_view name) { if (name == "small") return 32; if (name.substr(0, 3) == "big") return 256; return 64; }
struct Config { std::optional<int> block; std::optional<std::string> name; int sizeOr(int d) const { return block.value_or(d); } };
int main() {
  auto u = std::make_unique<Layer>(96, 3);
  k<<<u->grid, u->block>>>(1);
  auto v = std::move(u);
  k<<<u ? 7 : 8, v->block>>>(2);
  v.reset(new Layer(64, 5));
  k<<<v->grid, v->block>>>(3);
  Layer* raw = v.release();
  k<<<v == nullptr ? 9 : 10, raw->block>>>(4);
  v.reset();
  k<<<v ? 11 : 12, 32>>>(5);
  std::shared_ptr<Layer> s = std::make_shared<Wide>(16);
  auto t = s;
  k<<<s->grid, s->size()>>>(6);
  s.reset();
  k<<<s ? 13 : 14, t->size()>>>(7);
  s = std::make_shared<Layer>();
  k<<<s->grid, s->size()>>>(44);
  s.reset(new Wide(4));
  k<<<s->grid, s->size()>>>(8);
  auto wide = std::dynamic_pointer_cast<Wide>(s);
  k<<<1, wide->factor * 32>>>(9);
  std::weak_ptr<Layer> weak = s;
  if (auto locked = weak.lock()) k<<<1, locked->size()>>>(10);
  auto d = makeDevice(1000);
  f<<<1, 32>>>(d.get(), 1000);
  d = makeDevice(2000);
  f<<<1, 32>>>(d.get(), 2000);
  auto arr = makeArray<float>(300);
  f<<<1, 32>>>(arr.get(), 300);
  auto sd = sharedDevice<float>(400);
  f<<<1, 32>>>(sd.get(), 400);
  auto ints = std::make_unique<int[]>(4);
  for (int i = 0; i < 4; i++) ints[i] = 32 * (i + 1);
  k<<<ints[0], ints[3]>>>(11);
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Layer>(160, 1));
  layers.push_back(std::make_unique<Wide>(8));
  layers.emplace_back(new Wide(2));
  for (const auto& l : layers) k<<<l->grid, l->size()>>>(12);
  std::optional<int> o = parse(nullptr), p = parse("192");
  k<<<o.has_value() ? 1 : 2, *p>>>(o.value_or(17));
  o = 224; 
  if (o) k<<<1, o.value()>>>(13);
  o.reset();
  k<<<o ? 15 : 16, 32>>>(14);
  Config c; c.block = 288; 
  Config e = c; e.block.reset(); e.name = "big one";
  k<<<c.sizeOr(1), e.sizeOr(320)>>>(byName(*e.name));
  std::optional<std::vector<int>> ov = std::vector<int>{1, 2, 3};
  auto ow = ov; (*ow)[0] = 9; ow->push_back(4);
  k<<<ov->size(), ow->size()>>>((*ov)[0]);
  std::variant<int, float, std::string> var = 5;
  k<<<std::get<int>(var), 32>>>(var.index());
  var = std::string("abcdef");
  if (auto* str = std::get_if<std::string>(&var)) k<<<str->size(), 32>>>(var.index());
  int visited = std::visit([](auto&& x) -> int { using T = std::decay_t<decltype(x)>; if constexpr (std::is_same_v<T, std::string>) return x.size() * 32; else return (int)x; }, var);
  k<<<1, visited>>>(15);
  std::vector<int> data = {1, 2, 3, 4, 5, 6};
  std::span<int> span(data);
  span[0] = 10;
  k<<<data[0], total(span)>>>(span.size());
  k<<<total(span.subspan(1, 2)), total(span.first(3))>>>(span.last(2)[0]);
  k<<<total(data), 32>>>(16);
  int plain[3] = {7, 8, 9};
  k<<<total(plain), 32>>>(17);
  std::string_view sv = "bigger";
  k<<<sv.size(), byName(sv)>>>(byName("small"));
  std::string name = "small";
  k<<<1, byName(name)>>>(18);
  std::pair<std::unique_ptr<Layer>, int> pr{std::make_unique<Layer>(352, 6), 19};
  auto [lp, num] = std::move(pr);
  k<<<lp->grid, lp->block>>>(num);
  DeviceArray da; float* q; cudaMalloc(&q, 4096); da.reset(q);
  f<<<1, 32>>>(da.get(), 20);
  std::swap(d, *std::make_unique<DevicePtr>(makeDevice(10)));
  f<<<1, 32>>>(d.get(), 21);
}
