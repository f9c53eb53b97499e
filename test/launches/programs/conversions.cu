// Wrappers that convert to pointers, numbers and objects, where they are passed and where functions are chosen.
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@400, ?p:this@800, 1 path 79
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@400, ?p:this@1200, 100 path 79
//> g grid (1,1,1) block (32,1,1) x1 args ?p:this@1600, 400 path 79
//> t<float> grid (1,1,1) block (32,1,1) x1 args ?p:this@400, 2 path 80
//> t<float> grid (1,1,1) block (32,1,1) x1 args ?p:this@800, 3 path 80
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@400, ?p:this@400, 1 path 67 81
//> f grid (2,1,1) block (32,1,1) x1 args ?p:this@1200, ?p:this@1200, 2 path 68 81
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@800, 1 path 67 81
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@1200, 200 path 83
//> f grid (2,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@800, 0 path 85
//> k grid (9,1,1) block (9,1,1) x1 args 9 path 86
//> k grid (2,3,1) block (32,1,1) x1 args 6 path 87
//> k grid (6,1,1) block (3,1,1) x1 args 3 path 69 87
//> k grid (7,1,1) block (2,3,1) x1 args 3 path 87
//> k grid (7,1,1) block (4,1,1) x1 args 4 path 70 88
//> k grid (15,1,1) block (1,1,1) x1 args 10 path 88
//> k grid (4,1,1) block (5,1,1) x1 args 11 path 89
//> k grid (4,1,1) block (5,1,1) x1 args 5 path 71 89
//> k grid (5,1,1) block (3,1,1) x1 args 3 path 69 89
//> k grid (6,1,1) block (6,1,1) x1 args 12 path 90
//> k grid (8,1,1) block (1,1,1) x1 args 1 path 66 91
//> k grid (9,1,1) block (2,1,1) x1 args 1 path 66 91
//> k grid (10,1,1) block (11,1,1) x1 args 1 path 66 91
//> k grid (8,1,1) block (1,1,1) x1 args 13 path 91
//> k grid (12,1,1) block (7,1,1) x1 args 7 path 73 92
//> k grid (13,1,1) block (6,1,1) x1 args 6 path 72 92
//> k grid (6,1,1) block (6,1,1) x1 args 6 path 93
//> k grid (7,1,1) block (1,1,1) x1 args 14 path 93
//> f grid (3,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@1200, 15 path 94
//> f grid (4,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@1200, 16 path 95
//> f grid (5,1,1) block (32,1,1) x1 args ?p:this@200, ?p:this@200, 50 path 97
//> f grid (5,1,1) block (32,1,1) x1 args ?p:this@240, ?p:this@240, 60 path 97
//> f grid (5,1,1) block (32,1,1) x1 args ?p:this@800, ?p:this@800, 200 path 97
//> k grid (1,1,1) block (1,1,1) x1 args 17 path 98
#include <cstdio>
#include <string>
#include <vector>
#include <atomic>
__global__ void f(float* p, const float* q, int n) {}
__global__ void g(int* p, unsigned n) {}
__global__ void k(int n) {}
template <typename T> __global__ void t(T* p, int n) {}
template <typename T> class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t n) : n_(n) { cudaMalloc(&ptr_, n * sizeof(T)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& o) noexcept : ptr_(o.ptr_), n_(o.n_) { o.ptr_ = nullptr; o.n_ = 0; }
  DeviceBuffer& operator=(DeviceBuffer&& o) noexcept { std::swap(ptr_, o.ptr_); std::swap(n_, o.n_); return *this; }
  ~DeviceBuffer() { if (ptr_) cudaFree(ptr_); }
  operator T*() { return ptr_; }
  operator const T*() const { return ptr_; }
  T* get() const { return ptr_; }
  size_t size() const { return n_; }
  explicit operator bool() const { return ptr_ != nullptr; }
private:
  T* ptr_ = nullptr; size_t n_ = 0;
};
struct Dim { int x, y; operator dim3() const { return dim3(x, y); } operator int() const { return x * y; } };
struct Celsius { double v; operator double() const { return v; } };
struct Both { operator int() const { return 5; } operator std::string() const { return "both"; } operator float*() const { return nullptr; } };
struct Any { int v; template <typename T> operator T() const { return (T)v; } };
struct Shape { int n; };
struct Problem { int n, m; Problem(const Shape& s) : n(s.n), m(1) {} Problem(int n, int m = 2) : n(n), m(m) {} };
struct Options { explicit Options(int b) : block(b) {} int block; };
void solve(Problem p) { k<<<p.n, p.m>>>(1); }
void over(float* p) { f<<<1, 32>>>(p, p, 1); }
void over(const float* p) { f<<<2, 32>>>((float*)p, p, 2); }
void over(int n) { k<<<n, 3>>>(3); }
void pick(double d) { k<<<(int)d, 4>>>(4); }
void pick(const std::string& s) { k<<<s.size(), 5>>>(5); }
void opts(Options o) { k<<<o.block, 6>>>(6); }
void opts(long n) { k<<<n, 7>>>(7); }
int half(int x) { return x / 2; }
int main() {
  DeviceBuffer<float> a(100), b(200);
  const DeviceBuffer<float> c(300);
  DeviceBuffer<int> d(400);
  f<<<1, 32>>>(a, b, 1); f<<<1, 32>>>(a, c, a.size()); g<<<1, 32>>>(d, d.size());
  t<float><<<1, 32>>>(a, 2); t<<<1, 32>>>(b.get(), 3);
  over(a); over(c); over(b);
  a = std::move(b);
  f<<<b ? 1 : 2, 32>>>(a, c, a.size());
  DeviceBuffer<float> e = std::move(a);
  f<<<a ? 1 : 2, e ? 32 : 64>>>(e, e, a.size());
  if (!a) k<<<9, 9>>>(9);
  Dim dim{2, 3}; k<<<dim, 32>>>(dim); over(dim); k<<<dim + 1, dim>>>(half(dim));
  Celsius cel{7.5}; pick(cel); k<<<(int)(cel * 2), 1>>>(10);
  Both both; std::string s = both; k<<<s.size(), (int)both>>>(11); pick((std::string)both); over((int)both);
  Any any{6}; int i = any; float fl = any; k<<<i, (int)fl>>>(12);
  Shape shape{8}; solve(shape); solve(9); solve({10, 11}); Problem p = shape; k<<<p.n, p.m>>>(13);
  opts(12); opts(Options(13));
  std::atomic<int> count{3}; count++; count += 2; k<<<(int)count, count.load()>>>(count.fetch_add(1)); k<<<(int)count, 1>>>(14);
  float* raw = e; const float* craw = c; f<<<3, 32>>>(raw, craw, 15);
  float* off = e + 10; f<<<4, 32>>>(off, &c.get()[5], 16);
  std::vector<DeviceBuffer<float>> many; many.emplace_back(50); many.push_back(DeviceBuffer<float>(60)); many.push_back(std::move(e));
  for (auto& m : many) f<<<5, 32>>>(m, m.get(), m.size());
  k<<<e.size() + 1, 1>>>(17);
}
