// Small programs of several files, with the launches that they make. The first source is the root; headers are included by name.
export interface LinkedCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Kernel, grid, block, arguments: scalars as they are, pointers by the size of what they point into. */
  readonly launches: readonly string[];
  /** Cost and ideal of each access, by its text. */
  readonly accesses?: readonly string[];
  readonly kernels?: readonly string[];
}

const copyKernel = `__global__ void copy(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * 2];
}
`;

export const linkedCases: readonly LinkedCase[] = [
  {
    name: "a wrapper declared in a header, defined beside its kernel",
    files: {
      "main.cpp": `#include "copy.h"
int main() { float *a = allocate(4096), *b = allocate(8192); runCopy(a, b, 1024); }
`,
      "copy.h":
        "float* allocate(int bytes);\nvoid runCopy(float* out, const float* in, int n, int block = 128);\n",
      "copy.cu": `#include "copy.h"
${copyKernel}
float* allocate(int bytes) { float* p; cudaMalloc(&p, bytes); return p; }
void runCopy(float* out, const float* in, int n, int block) { copy<<<(n + block - 1) / block, block>>>(out, in, n); }
`,
    },
    launches: ["copy 8,1,1 128,1,1 (4096, 8192, 1024)"],
    accesses: ["in[i * 2] 256/128 exact", "out[i] 128/128 exact"],
    kernels: ["copy"],
  },
  {
    name: "overloads by types, typedefs seen through",
    files: {
      "main.cpp": `#include "size.h"
int main() { run(index_t(3)); run(2.0f); run((const float*)0); }
`,
      "size.h": `typedef unsigned int index_t;
void run(index_t n);
void run(float x);
void run(const float* p);
`,
      "size.cu": `#include "size.h"
__global__ void k(int n) {}
void run(const float* p) { k<<<1, 32>>>(p == nullptr); }
void run(float x) { k<<<(int)x, 32>>>(20); }
void run(unsigned int n) { k<<<n, 32>>>(30); }
`,
    },
    launches: ["k 3,1,1 32,1,1 (30)", "k 2,1,1 32,1,1 (20)", "k 1,1,1 32,1,1 (1)"],
  },
  {
    name: "members of a class template that another source defines and instantiates",
    files: {
      "main.cu": `#include "matrix.h"
int main() { auto a = Matrix<float>::make(1000); a.fill(3.f); }
`,
      "matrix.h": `#pragma once
template <typename T> struct Matrix {
  int rows = 0;
  T* values = nullptr;
  static Matrix make(int rows);
  void fill(T x);
};
extern template struct Matrix<float>;
`,
      "matrix.cu": `#include "matrix.h"
template <typename T> __global__ void set(T* v, int n, T x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = x;
}
template <typename T> Matrix<T> Matrix<T>::make(int rows) {
  Matrix<T> m;
  m.rows = rows;
  cudaMalloc(&m.values, rows * sizeof(T));
  set<T><<<(rows + 127) / 128, 128>>>(m.values, rows, T(1));
  return m;
}
template <typename T> void Matrix<T>::fill(T x) { set<T><<<(rows + 63) / 64, 64>>>(values, rows, x); }
template struct Matrix<float>;
`,
    },
    launches: ["set<float> 8,1,1 128,1,1 (4000, 1000, 1)", "set<float> 16,1,1 64,1,1 (4000, 1000, 3)"],
  },
  {
    name: "a header that says other things to the host's compiler than to nvcc",
    files: {
      "main.cpp": `#include "params.h"
#ifdef __CUDACC__
#error "this is for the host"
int main() { return 1; }
#else
int main() { Params p; p.n = 64; run(p, p.twice()); }
#endif
`,
      "params.h": `#pragma once
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
struct Params { int n; HD int twice() const { return 2 * n; } };
void run(const Params& p, int blocks);
#ifdef __NVCC__
template <typename T> __global__ void set(T* out, Params p) { out[threadIdx.x * 2] = p.n; }
#endif
`,
      "run.cu": `#include "params.h"
void run(const Params& p, int blocks) { float* out; cudaMalloc(&out, 512); set<float><<<blocks, p.n>>>(out, p); }
`,
    },
    launches: ["set<float> 128,1,1 64,1,1 (512, {64})"],
    accesses: ["out[threadIdx.x * 2] 2048/1024 exact"],
  },
  {
    name: "a class whose methods stand in another source",
    files: {
      "main.cpp": `#include "solver.h"
int main() {
  sim::Config config;
  config.block = 64;
  sim::Solver solver(512, config);
  solver.setScale(3);
  solver.step();
  sim::Solver::made += 5;
  sim::Solver::report();
}
`,
      "solver.h": `#pragma once
namespace sim {
struct Config { int block = 256; int steps = 2; };
class Solver {
 public:
  Solver(int n, const Config& config);
  ~Solver();
  void step();
  void setScale(int s) { scale = s; }
  static void report();
  static int made;
 private:
  int n, scale = 1;
  Config config;
  float* data;
};
}
`,
      "solver.cu": `#include "solver.h"
namespace sim {
__global__ void relax(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
int Solver::made = 10;
Solver::Solver(int n, const Config& c) : n(n), config(c) { cudaMalloc(&data, n * sizeof(float)); made++; }
Solver::~Solver() { cudaFree(data); }
void Solver::step() { for (int s = 0; s < config.steps; s++) relax<<<n * scale / config.block, config.block>>>(data, n); }
void Solver::report() { relax<<<1, 32>>>(nullptr, made); }
}
`,
    },
    launches: ["relax 24,1,1 64,1,1 x2 (2048, 512)", "relax 1,1,1 32,1,1 (null, 16)"],
    kernels: ["sim::relax"],
  },
  {
    name: "static functions, anonymous namespaces and constants, each its unit's own",
    files: {
      "main.cu": `void other();
static int size() { return 32; }
namespace { int count() { return 1; } int calls = 100; }
const int shift = 1000;
__global__ void k(int a, int b, int c) {}
int main() { calls++; k<<<count(), size()>>>(1, calls, shift); other(); }
`,
      "other.cu": `static int size() { return 64; }
namespace { int count() { return 2; } int calls = 200; __global__ void k(int a) {} }
static __global__ void k2(int a, int b, int c) {}
const int shift = 2000;
void other() { calls++; k2<<<count(), size()>>>(2, calls, shift); k<<<count(), size()>>>(7); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (1, 101, 1000)", "k2 2,1,1 64,1,1 (2, 201, 2000)", "k 2,1,1 64,1,1 (7)"],
    kernels: ["k", "k", "k2"],
  },
  {
    name: "variables declared extern, with what any unit puts into them",
    files: {
      "main.cpp": `#include "state.h"
int main() { settings.block = 96; level = 3; sizes[1] = 7; go(); }
`,
      "state.h": `struct Settings { int grid, block; };
extern Settings settings;
extern int level;
extern int sizes[];
extern const int limit;
namespace tuning { extern int depth; }
void go();
`,
      "state.cpp": `#include "state.h"
Settings settings = {5, 32};
int level = 1;
int sizes[] = {4, 5, 6};
const int limit = 77;
int tuning::depth = 9;
`,
      "go.cu": `#include "state.h"
__global__ void k(int level, int a, int b, int limit, int depth) {}
void go() { k<<<settings.grid, settings.block>>>(level, sizes[0], sizes[1], limit, tuning::depth); }
`,
    },
    launches: ["k 5,1,1 96,1,1 (3, 4, 7, 77, 9)"],
  },
  {
    name: 'a C interface, extern "C"',
    files: {
      "main.c": `#include "api.h"
int main(void) { struct plan *p = plan_create(3); plan_run(p); return plan_size; }
`,
      "api.h": `#ifdef __cplusplus
extern "C" {
#endif
struct plan;
extern int plan_size;
struct plan* plan_create(int n);
void plan_run(struct plan* p);
#ifdef __cplusplus
}
#endif
`,
      "api.cu": `#include "api.h"
#include <cstdlib>
struct plan { int n; float* data; };
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
extern "C" int plan_size = 4;
extern "C" struct plan* plan_create(int n) {
  plan* p = (plan*)malloc(sizeof(plan));
  p->n = n;
  cudaMalloc(&p->data, n * 128);
  return p;
}
extern "C" void plan_run(plan* p) { fill<<<p->n, 32>>>(p->data); }
`,
    },
    launches: ["fill 3,1,1 32,1,1 (384)"],
    accesses: ["x[threadIdx.x] 12/12 exact"],
  },
  {
    name: "kernels declared in one unit and launched there, defined in another",
    files: {
      "main.cu": `__global__ void scale(float* x, float by);
template <class T> __global__ void shift(T* x, T by);
int main() { float* x; cudaMalloc(&x, 1024); scale<<<2, 128>>>(x, 2.0f); shift<float><<<1, 256>>>(x, 1.0f); }
`,
      "kernels.cu": `__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
template <class T> __global__ void shift(T* x, T by) { x[threadIdx.x] += by; }
template __global__ void shift<float>(float*, float);
`,
    },
    launches: ["scale 2,1,1 128,1,1 (1024, 2)", "shift<float> 1,1,1 256,1,1 (1024, 1)"],
    // Loaded and stored.
    accesses: [
      "x[blockIdx.x * blockDim.x + threadIdx.x] 32/32 exact",
      "x[blockIdx.x * blockDim.x + threadIdx.x] 32/32 exact",
      "x[threadIdx.x] 32/32 exact",
      "x[threadIdx.x] 32/32 exact",
    ],
    kernels: ["scale", "shift"],
  },
  {
    name: "templates instantiated and specialised in another unit",
    files: {
      "main.cpp": `#include "reduce.h"
int main() {
  reduce<float, 128>((float*)0, 1000);
  reduce<double, 256>((double*)0, 1000);
  reduce<int, 64>((int*)0, 1000);
  Pool<float> pool(3);
  pool.clear();
}
`,
      "reduce.h": `template <typename T, int Block> void reduce(const T* x, int n);
template <> void reduce<int, 64>(const int* x, int n);
extern template void reduce<float, 128>(const float*, int);
template <class T> class Pool {
  T* at; int n;
 public:
  explicit Pool(int n);
  void clear();
};
`,
      "reduce.cu": `#include "reduce.h"
template <typename T, int Block> __global__ void sum(const T* x, int n) {}
template <typename T, int Block> void reduce(const T* x, int n) { sum<T, Block><<<(n + Block - 1) / Block, Block>>>(x, n); }
template <> void reduce<int, 64>(const int* x, int n) { sum<int, 32><<<1, 32>>>(x, n); }
template void reduce<float, 128>(const float*, int);
template void reduce<double, 256>(const double*, int);
template <class T> __global__ void zero(T* x) { x[threadIdx.x] = 0; }
template <class T> Pool<T>::Pool(int n) : n(n) { cudaMalloc(&at, n * 32 * sizeof(T)); }
template <class T> void Pool<T>::clear() { zero<T><<<n, 32>>>(at); }
template class Pool<float>;
`,
    },
    launches: [
      "sum<float,128> 8,1,1 128,1,1 (null, 1000)",
      "sum<double,256> 4,1,1 256,1,1 (null, 1000)",
      "sum<int,32> 1,1,1 32,1,1 (null, 1000)",
      "zero<float> 3,1,1 32,1,1 (384)",
    ],
  },
  {
    name: "inline functions, variables and kernels of a header are one for all units",
    files: {
      "main.cu": `#include "common.cuh"
void other();
int main() { next(); total++; runAll(1); other(); k<<<next(), 32>>>(total, Counter::get().n); }
`,
      "common.cuh": `inline int next() { static int n = 0; return ++n; }
inline int total = 10;
struct Counter { int n = 0; static Counter& get() { static Counter one; return one; } };
static __global__ void k(int a, int b) {}
template <class T> __global__ void all(T x) {}
template <class T> void runAll(T x) { Counter::get().n++; all<T><<<1, 64>>>(x); }
`,
      "other.cu": `#include "common.cuh"
void other() { next(); total += 5; runAll(2); k<<<next(), 32>>>(total, Counter::get().n); }
`,
    },
    launches: [
      "all<int> 1,1,1 64,1,1 (1)",
      "all<int> 1,1,1 64,1,1 (2)",
      "k 3,1,1 32,1,1 (16, 2)",
      "k 4,1,1 32,1,1 (16, 2)",
    ],
    kernels: ["k", "all"],
  },
  {
    name: "a header that says other things to each unit",
    files: {
      "main.cu": `#define BLOCK 64
#include "tile.cuh"
void other();
int main() { launch(); other(); }
`,
      "tile.cuh": `static __global__ void tile(float* x) { x[threadIdx.x * (BLOCK / 32)] = 1; }
static void launch() { float* x; cudaMalloc(&x, 4096); tile<<<1, BLOCK>>>(x); }
`,
      "other.cu": `#define BLOCK 128
#include "tile.cuh"
void other() { launch(); }
`,
    },
    launches: ["tile 1,1,1 64,1,1 (4096)", "tile 1,1,1 128,1,1 (4096)"],
    accesses: ["x[threadIdx.x * (BLOCK / 32)] 16/8 exact", "x[threadIdx.x * (BLOCK / 32)] 64/16 exact"],
    kernels: ["tile"],
  },
  {
    name: "tables of functions, and virtual functions, across units",
    files: {
      "main.cpp": `#include "plugin.h"
int main() { for (int i = 0; i < pluginCount; i++) plugins[i].run(i + 1); Shape* s = makeShape(8); s->draw(); useCallback(onDone); }
`,
      "plugin.h": `struct Plugin { const char* name; void (*run)(int); };
extern const Plugin plugins[];
extern const int pluginCount;
struct Shape { virtual void draw() = 0; virtual ~Shape() {} };
Shape* makeShape(int n);
void onDone(int n);
void useCallback(void (*f)(int));
`,
      "plugins.cpp": `#include "plugin.h"
void blur(int n);
void sharpen(int n);
const Plugin plugins[] = {{"blur", blur}, {"sharpen", &sharpen}};
const int pluginCount = sizeof(plugins) / sizeof(plugins[0]);
void useCallback(void (*f)(int)) { f(5); }
`,
      "filters.cu": `#include "plugin.h"
__global__ void k(int which, int n) {}
void blur(int n) { k<<<n, 32>>>(1, n); }
void sharpen(int n) { k<<<n, 64>>>(2, n); }
struct Square : Shape { int n; Square(int n) : n(n) {} void draw() override; };
void Square::draw() { k<<<n, 96>>>(3, n); }
Shape* makeShape(int n) { return new Square(n); }
void onDone(int n) { k<<<n, 128>>>(4, n); }
`,
    },
    launches: [
      "k 1,1,1 32,1,1 (1, 1)",
      "k 2,1,1 64,1,1 (2, 2)",
      "k 8,1,1 96,1,1 (3, 8)",
      "k 5,1,1 128,1,1 (4, 5)",
    ],
  },
  {
    name: "the public functions of a library, over all its units",
    files: {
      "api.cpp": `void runInner(int n);
void publicRun() { runInner(4); }
`,
      "inner.cu": `__global__ void k(int n) {}
void runInner(int n) { k<<<n, 32>>>(n); }
`,
    },
    launches: ["k 4,1,1 32,1,1 (4)"],
  },
  {
    name: "device functions and constants across units, each unit compiled by itself",
    files: {
      "main.cu": `extern __constant__ int table[32];
__device__ int place(int i);
extern __device__ int offset;
__global__ void gather(float* out, const float* in) {
  out[threadIdx.x] = in[place(threadIdx.x)] + in[table[threadIdx.x]];
}
void fill();
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  fill();
  gather<<<1, 32>>>(a, b);
}
`,
      "device.cu": `__constant__ int table[32];
__device__ int place(int i) { return i * 8; }
void fill() { int t[32]; for (int i = 0; i < 32; i++) t[i] = i * 4; cudaMemcpyToSymbol(table, t, sizeof(t)); }
`,
    },
    launches: ["gather 1,1,1 32,1,1 (4096, 4096)"],
    accesses: [
      "in[place(threadIdx.x)] 32/4 exact",
      "in[table[threadIdx.x]] 16/4 exact",
      "out[threadIdx.x] 4/4 exact",
    ],
  },
  {
    name: "members of class templates, of all instances and of one",
    files: {
      "main.cpp": `#include "demo.h"
template <> Demo<double>* Demo<double>::one = 0;
template <> Demo<float>* Demo<float>::one = 0;
int main() {
  Demo<float>::create(32);
  Demo<double>::create(64);
  Demo<float>::run();
  Demo<double>::run();
}
`,
      "demo.h": `template <class T> void integrate(T dt, int n);
template <class T> class Demo {
 public:
  static void create(int n) { one = new Demo; one->n = n; }
  static void run() { integrate<T>(one->step(), one->n + count); }
 private:
  static Demo* one;
  static int count;
  int n;
  T step();
};
template <class T> int Demo<T>::count = 1;
template <class T> T Demo<T>::step() { return 3; }
template <> int Demo<double>::count;
template <> double Demo<double>::step();
`,
      "demo.cu": `#include "demo.h"
template <class T> __global__ void k(T dt) {}
template <class T> void integrate(T dt, int n) { k<T><<<n, 32>>>(dt); }
template void integrate<float>(float, int);
template void integrate<double>(double, int);
template <> int Demo<double>::count = 2;
template <> double Demo<double>::step() { return 5; }
`,
    },
    launches: ["k<float> 33,1,1 32,1,1 (3)", "k<double> 66,1,1 32,1,1 (5)"],
  },
  {
    name: "extension modules, which hand out functions of other units",
    files: {
      "bind.cpp": `#include <torch/extension.h>
#include "ops.h"
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale, "scales"); }
TORCH_LIBRARY(ops, m) { m.def("fill(Tensor x) -> Tensor", fill); }
`,
      "ops.h": "torch::Tensor scale(torch::Tensor x, int n);\ntorch::Tensor fill(torch::Tensor x);\n",
      "ops.cu": `#include <torch/extension.h>
#include "ops.h"
__global__ void k(int n) {}
torch::Tensor scale(torch::Tensor x, int n) { k<<<64, 256>>>(n); return x; }
torch::Tensor fill(torch::Tensor x) { k<<<1, 32>>>(7); return x; }
`,
    },
    launches: [
      "k 64,1,1 256,1,1 (?) | scale is called by code that is not in sight",
      "k 1,1,1 32,1,1 (7) | fill is called by code that is not in sight",
    ],
  },
  {
    name: "what nvcc does not see the body of it does not inline: it loads again behind the call",
    files: {
      "main.cu": `__device__ float half(float x);
__device__ void touch(float* p);
__global__ void k(float* out, const float* in) {
  float first = in[threadIdx.x];
  touch(out);
  out[threadIdx.x + 32] = first + in[threadIdx.x] + half(first);
}
int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); k<<<1, 32>>>(a, b); }
`,
      "device.cu": `__device__ float half(float x) { return x * 0.5f; }
__device__ void touch(float* p) { p[threadIdx.x * 8] = 1; }
`,
    },
    launches: ["k 1,1,1 32,1,1 (4096, 4096)"],
    accesses: [
      "in[threadIdx.x] 4/4 exact",
      "p[threadIdx.x * 8] 32/4 exact",
      "in[threadIdx.x] 4/4 exact",
      "out[threadIdx.x + 32] 4/4 exact",
    ],
  },
  {
    name: "operators and conversions",
    files: {
      "main.cpp": `#include "vec.h"
int main() {
  Vec a(1, 2), b(3, 4);
  show(a + b);
  a += Vec(7, 7);
  show(a);
  int n = b;
  Show()(n, b[1]);
}
`,
      "vec.h": `struct Vec {
  int x, y;
  Vec(int x, int y);
  Vec& operator+=(const Vec& other);
  operator int() const;
  int operator[](int i) const;
};
Vec operator+(const Vec& a, const Vec& b);
void show(Vec v);
struct Show { void operator()(int a, int b) const; };
`,
      "vec.cu": `#include "vec.h"
__global__ void k(int a, int b) {}
Vec::Vec(int x, int y) : x(x), y(y) {}
Vec& Vec::operator+=(const Vec& other) { x += other.x; y += other.y; return *this; }
Vec::operator int() const { return x * 100; }
int Vec::operator[](int i) const { return i ? y : x; }
Vec operator+(const Vec& a, const Vec& b) { return Vec(a.x + b.x, a.y + b.y); }
void show(Vec v) { k<<<1, 32>>>(v.x, v.y); }
void Show::operator()(int a, int b) const { k<<<2, 32>>>(a, b); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (4, 6)", "k 1,1,1 32,1,1 (8, 9)", "k 2,1,1 32,1,1 (300, 4)"],
  },
  {
    name: "nested namespaces, and definitions by qualified names",
    files: {
      "main.cpp": `#include "nested.h"
using namespace a::b;
int main() { f(1); a::c::g({3, 4}); extern void h(int); h(5); }
`,
      "nested.h": `namespace a::b { void f(int n, int m = 2); }
namespace a { namespace c { struct P { int x, y; }; void g(const P& p); } }
`,
      "nested.cu": `#include "nested.h"
__global__ void k(int a, int b) {}
void a::b::f(int n, int m) { k<<<1, 32>>>(n, m); }
namespace a { void c::g(const P& p) { k<<<1, 32>>>(p.x, p.y); } }
void h(int n) { k<<<1, 32>>>(n, 6); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (1, 2)", "k 1,1,1 32,1,1 (3, 4)", "k 1,1,1 32,1,1 (5, 6)"],
  },
  {
    name: "a class behind a pointer that one unit alone knows",
    files: {
      "main.cpp": `#include "solver.h"
int main() { Solver s(64); s.set(3); s.run(); auto t = makeSolver(5); t->run(); }
`,
      "solver.h": `#include <memory>
class Solver {
 public:
  explicit Solver(int n);
  ~Solver();
  void set(int k);
  void run() const;
 private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};
std::unique_ptr<Solver> makeSolver(int n);
`,
      "solver.cu": `#include "solver.h"
__global__ void k(int a, int b) {}
struct Solver::Impl {
  int n;
  int k = 1;
  void go() const;
};
void Solver::Impl::go() const { ::k<<<1, 32>>>(n, k); }
Solver::Solver(int n) : impl(std::make_unique<Impl>()) { impl->n = n; }
Solver::~Solver() = default;
void Solver::set(int k) { impl->k = k; }
void Solver::run() const { impl->go(); }
std::unique_ptr<Solver> makeSolver(int n) { return std::make_unique<Solver>(n); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (64, 3)", "k 1,1,1 32,1,1 (5, 1)"],
  },
  {
    name: "objects that make_unique makes, of a class whose constructor stands in another unit and which nothing else names",
    files: {
      "layer.h": `struct Layer {
  virtual ~Layer() = default;
  virtual void forward() = 0;
};
class Scale : public Layer {
  int n_;
 public:
  explicit Scale(int n, int extra = 1);
  void forward() override;
};
`,
      "scale.cu": `#include "layer.h"
__global__ void k(int n) {}
Scale::Scale(int n, int extra) : n_(n + extra) {}
void Scale::forward() { k<<<1, 64>>>(n_); }
`,
      "main.cu": `#include "layer.h"
#include <memory>
#include <vector>
int main() {
  std::vector<std::unique_ptr<Layer>> net;
  net.push_back(std::make_unique<Scale>(7));
  for (auto& layer : net) layer->forward();
}
`,
    },
    launches: ["k 1,1,1 64,1,1 (8)"],
  },
  {
    name: "kernels handed on as pointers",
    files: {
      "main.cu": `__global__ void k(int a, int b);
void launchAny(void (*kernel)(int, int), int a, int b);
template <class F> void go(F f, int a, int b) { f<<<2, 64>>>(a, b); }
int main() {
  launchAny(k, 1, 2);
  go(k, 3, 4);
  int a = 5, b = 6;
  void* args[] = {&a, &b};
  cudaLaunchKernel((void*)k, dim3(3), dim3(96), args, 0, 0);
}
`,
      "kernel.cu": `__global__ void k(int a, int b) {}
void launchAny(void (*kernel)(int, int), int a, int b) { kernel<<<1, 32>>>(a, b); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (1, 2)", "k 2,1,1 64,1,1 (3, 4)", "k 3,1,1 96,1,1 (5, 6)"],
  },
  {
    name: "static members, and objects of classes, that another unit defines",
    files: {
      "main.cpp": `#include "tables.h"
int main() { Tables::sizes[1] = 4; Tables::instance().run(); context.run(); }
`,
      "tables.h": `struct Tables {
  static int sizes[];
  static const int limit;
  static Tables& instance();
  void run();
};
struct Context { int a, b; Context(int a); void run(); };
extern Context context;
`,
      "tables.cu": `#include "tables.h"
__global__ void k(int a, int b) {}
int Tables::sizes[] = {1, 2, 3};
const int Tables::limit = 30;
Tables& Tables::instance() { static Tables one; return one; }
void Tables::run() { k<<<1, 32>>>(sizes[1], limit); }
Context context(7);
Context::Context(int a) : a(a), b(a + 1) {}
void Context::run() { k<<<1, 32>>>(a, b); }
`,
    },
    launches: ["k 1,1,1 32,1,1 (4, 30)", "k 1,1,1 32,1,1 (7, 8)"],
  },
  {
    name: "objects that other units make before main, for what their constructors do",
    files: {
      "main.cpp": `#include "registry.h"
int counted = 0;
struct Count { Count(int n) { counted += n; } };
static Count three(3);
static Count four(4);
int main() {
  for (auto& each : registry()) each.second(11);
  launch(counted, plain);
}
`,
      "registry.h": `#include <map>
#include <string>
typedef void (*Function)(int);
std::map<std::string, Function>& registry();
struct Registrar { Registrar(const char* name, Function f); };
void launch(int a, int b);
extern int plain;
`,
      "registry.cpp": `#include "registry.h"
std::map<std::string, Function>& registry() { static std::map<std::string, Function> all; return all; }
Registrar::Registrar(const char* name, Function f) { registry()[name] = f; }
`,
      "scale.cu": `#include "registry.h"
__global__ void k(int a, int b) {}
static int next() { static int n = 20; return ++n; }
int plain = next();
void launch(int a, int b) { k<<<1, 32>>>(a, b); }
static void scale(int n) { launch(n, 12); }
static Registrar scaleRegistrar("scale", scale);
`,
    },
    launches: ["k 1,1,1 32,1,1 (11, 12)", "k 1,1,1 32,1,1 (7, 21)"],
  },
];
