// Pointers in one object are told apart; members of types that are not known leave the others as they are.
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@400, ?p:buf.b@800, 100 path 58
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@800, ?p:buf.b@2400, 200 path 60
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@40, ?p:buf.b@80, 1 path 62
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@80, ?p:buf.b@160, 2 path 63
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@120, ?p:buf.b@360, 3 path 64
//> f grid (1,1,1) block (32,1,1) x1 args ?p:x.extra@44, ?p:buf@40, 4 path 65
//> f grid (1,1,1) block (32,1,1) x1 args ?p:list@100, ?p:list@200, 0 path 67
//> f grid (1,1,1) block (32,1,1) x1 args ?p:list@200, ?p:list@300, 1 path 67
//> f grid (1,1,1) block (32,1,1) x1 args ?p:list@300, ?p:list@100, 2 path 67
//> f grid (1,1,1) block (32,1,1) x1 args ?p:list@300, ?p:list@100, 5 path 69
//> f grid (1,1,1) block (32,1,1) x1 args ?p:y.in.a@77, ?p:buf@40, 6 path 71
//> f grid (1,1,1) block (32,1,1) x1 args ?p:heap@11, ?p:heap@12, 7 path 73
//> f grid (1,1,1) block (32,1,1) x1 args ?p:c@500, ?p:c@501, 8 path 75
//> f grid (1,1,1) block (32,1,1) x1 args ?p:buf@240, ?p:buf.b@480, 9 path 77
//> f grid (1,1,1) block (32,1,1) x1 args ?p:pair@13, ?p:pair@14, 0 path 79
//> f grid (1,1,1) block (32,1,1) x1 args ?p:pair@14, ?p:pair@13, 1 path 79
//> f grid (1,1,1) block (32,1,1) x1 args ?p:pair@13, ?p:pair@14, 2 path 79
//> f grid (1,1,1) block (32,1,1) x1 args ?p:p@15, ?p:q@16, 10 path 81
//> f grid (1,1,1) block (32,1,1) x1 args ?p:da@17, ?p:db@18, 0 path 83
//> f grid (1,1,1) block (32,1,1) x1 args ?p:db@18, ?p:da@17, 1 path 83
//> f grid (4,1,1) block (96,1,1) x1 args null, null, 11 path 84
//> f grid (5,1,1) block (160,1,1) x1 args null, null, 3 path 85
//> f grid (3,1,1) block (224,1,1) x1 args null, null, 12 path 86
//> f grid (1,1,1) block (32,1,1) x1 args ?p:this@492, ?p:this@1284, 123 path 88
//> f grid (10,1,1) block (64,1,1) x1 args ?p:this@492, ?p:this@1284, 640 path 54 89
//> f grid (1,1,1) block (64,1,1) x1 args ?p:this@492, ?p:this@492, 1 path 55 90
//> f grid (1,1,1) block (64,1,1) x1 args ?p:this@200, ?p:this@200, 2 path 55 92
//> f grid (3,1,1) block (32,1,1) x1 args ?p:this@492, ?p:this@492, 13 path 94
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <array>
#include <map>
#include <string>
#include <chrono>
#include <random>
#include <fstream>
#include <mutex>
#include <thread>
#include <atomic>
#include <iostream>
__global__ void f(float* p, const float* q, int n) {}
__global__ void g(float** list, int n) {}
struct Buf { float *a, *b; int n; };
struct Nested { Buf in; Buf out[2]; float* extra; };
void make(Buf& buf, int n) { buf.n = n; cudaMalloc(&buf.a, n * sizeof(float)); cudaMalloc(&buf.b, 2 * n * sizeof(float)); }
void make(Buf* buf, int n) { buf->n = n; cudaMalloc((void**)&buf->a, n * sizeof(float)); cudaMalloc((void**)&(buf->b), 3 * n * sizeof(float)); }
class Timer { std::chrono::high_resolution_clock::time_point start_; cudaEvent_t ev_; std::mt19937 gen_{42}; std::mutex m_; public: int block = 96; std::ofstream out_; int grid = 4; Timer() : start_(std::chrono::high_resolution_clock::now()) {} double stop() { return 1.0; } };
struct Stats { std::atomic<int> count{3}; std::thread worker; int width = 160; std::chrono::duration<double> total{}; int height = 5; };
struct Settings { std::string path = std::getenv("HOME") ? "x" : "y"; unsigned seed = std::random_device{}(); int block = 224; std::array<int, 3> dims{1, 2, 3}; };
template <typename T> struct Vec { T* data_; size_t size_; Vec(size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); } T* data() { return data_; } operator T*() { return data_; } operator const T*() const { return data_; } };
template <typename T> struct View { T* p; size_t n; explicit operator bool() const { return p != nullptr; } explicit operator T*() const { return p; } T* operator&() { return p; } };
template <int BLOCK> void launch(float* a, float* b, int n) { f<<<n / BLOCK, BLOCK>>>(a, b, n); }
void host(const float* p, int n) { f<<<1, 64>>>((float*)p, p, n); }
int main() {
  Buf buf; make(buf, 100);
  f<<<1, 32>>>(buf.a, buf.b, buf.n);
  Buf other; make(&other, 200);
  f<<<1, 32>>>(other.a, other.b, other.n);
  Nested x; make(x.in, 10); make(x.out[0], 20); make(&x.out[1], 30); cudaMalloc(&x.extra, 44);
  f<<<1, 32>>>(x.in.a, x.in.b, 1);
  f<<<1, 32>>>(x.out[0].a, x.out[0].b, 2);
  f<<<1, 32>>>(x.out[1].a, x.out[1].b, 3);
  f<<<1, 32>>>(x.extra, x.in.a, 4);
  float* list[3]; for (int i = 0; i < 3; i++) cudaMalloc(&list[i], 100 * (i + 1));
  for (int i = 0; i < 3; i++) f<<<1, 32>>>(list[i], list[(i + 1) % 3], i);
  std::swap(list[0], list[2]);
  f<<<1, 32>>>(list[0], list[2], 5);
  Nested y = x; cudaMalloc(&y.in.a, 77);
  f<<<1, 32>>>(y.in.a, x.in.a, 6);
  float** heap = new float*[2]; cudaMalloc(&heap[0], 11); cudaMalloc(&heap[1], 12);
  f<<<1, 32>>>(heap[0], heap[1], 7);
  float** c = (float**)malloc(2 * sizeof(float*)); for (int i = 0; i < 2; ++i) cudaMalloc((void**)(c + i), 500 + i);
  f<<<1, 32>>>(c[0], c[1], 8);
  std::vector<Buf> bufs(2); for (auto& b : bufs) make(b, 60);
  f<<<1, 32>>>(bufs[0].a, bufs[1].b, 9);
  std::array<float*, 2> pair; cudaMalloc(&pair[0], 13); cudaMalloc(&pair[1], 14);
  int cur = 0; for (int it = 0; it < 3; it++) { f<<<1, 32>>>(pair[cur], pair[1 - cur], it); cur ^= 1; }
  std::map<std::string, float*> named; cudaMalloc(&named["in"], 15); cudaMalloc(&named["out"], 16);
  f<<<1, 32>>>(named["in"], named["out"], 10);
  float *da = nullptr, *db = nullptr; cudaMalloc(&da, 17); cudaMalloc(&db, 18);
  for (int i = 0; i < 2; i++) { f<<<1, 32>>>(da, db, i); float* t = da; da = db; db = t; }
  Timer timer; f<<<timer.grid, timer.block>>>(nullptr, nullptr, 11);
  Stats stats; f<<<stats.height, stats.width>>>(nullptr, nullptr, stats.count);
  Settings s; f<<<s.dims[2], s.block>>>(nullptr, nullptr, 12);
  Vec<float> v(123), w(321);
  f<<<1, 32>>>(v, w, v.size_);
  launch<64>(v, w, 640);
  host(v, 1);
  const Vec<float> cv(50);
  host(cv, 2);
  View<float> view{v.data(), 5};
  f<<<view ? 3 : 4, 32>>>(static_cast<float*>(view), &view, 13);
}
