// Containers that a loop empties, algorithms that put sizes in order, literals of the program's own, and constructors that are inherited.
//> fill grid (1,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 52
//> fill grid (2,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 52
//> fill grid (3,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 58
//> fill grid (4,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 58
//> fill grid (5,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 62
//> fill grid (6,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 62
//> fill grid (7,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 65
//> fill grid (8,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 65
//> fill grid (9,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 65
//> fill grid (10,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 67
//> fill grid (11,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 69
//> fill grid (12,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 71
//> fill grid (13,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 74
//> fill grid (14,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 77
//> fill grid (15,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 77
//> fill grid (16,1,1) block (96,1,1) x1 args ?p:p@4096, 1 path 43 79
//> fill grid (17,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 38 80
//> fill grid (?,1,1) block (32,1,1) x1 args ?p:p@4096, 0 path 84
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <queue>
#include <set>
#include <stack>
#include <vector>

__global__ void fill(int* p, int n) { p[threadIdx.x] = n; }

constexpr int operator""_threads(unsigned long long n) { return static_cast<int>(n); }

struct Stage {
  explicit Stage(int blocks) : blocks_(blocks) {}
  virtual ~Stage() {}
  virtual void run(int* p) { fill<<<blocks_, 32_threads>>>(p, 0); }
  int blocks_;
};
struct Wide : Stage {
  using Stage::Stage;
  void run(int* p) override { fill<<<blocks_, threads_>>>(p, 1); }
  int threads_ = 96_threads;
};

int main() {
  int* p;
  cudaMalloc(&p, 4096);
  std::deque<int> lines{1, 2};
  while (!lines.empty()) {
    fill<<<lines.front(), 32>>>(p, 0);
    lines.pop_front();
  }
  std::queue<int> waiting;
  waiting.push(3);
  waiting.push(4);
  for (; !waiting.empty(); waiting.pop()) fill<<<waiting.front(), 32>>>(p, 0);
  std::stack<int> todo;
  todo.push(6);
  todo.emplace(5);
  for (; !todo.empty(); todo.pop()) fill<<<todo.top(), 32>>>(p, 0);
  std::vector<int> sizes{9, 7, 8};
  std::sort(sizes.begin(), sizes.end());
  for (int size : sizes) fill<<<size, 32>>>(p, 0);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  fill<<<sizes.front() + 1, 32>>>(p, 0);
  std::reverse(sizes.begin(), sizes.end());
  fill<<<sizes.back() + 2, 32>>>(p, 0);
  std::set<int> distinct(sizes.begin(), sizes.end());
  fill<<<distinct.size() + 9, 32>>>(p, 0);
  std::generate(sizes.begin(), sizes.end(), [n = 10]() mutable { return ++n; });
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(), [](int n) { return n < 13; }), sizes.end());
  for (int size : sizes) fill<<<size, 32>>>(p, 0);
  std::list<int> list{14};
  list.push_back(15);
  for (int n : list) fill<<<n, 32>>>(p, 0);
  std::unique_ptr<Stage> stage = std::make_unique<Wide>(16);
  stage->run(p);
  Stage(17).run(p);
  // What the library does to its object by a member that is not known here is not known either.
  std::vector<int> other{18};
  other.rearrange();
  fill<<<other[0], 32>>>(p, 0);
}
