// Lists of braces that hold a range or a copy, not elements: pointers to pointers are no strings, three numbers no number.
//> fill grid (8,1,1) block (64,1,1) x1 args ?p:out@2048, 512 path 34 | argc = 1
//> fill grid (2,1,1) block (64,1,1) x1 args ?p:out@2048, 128 path 35
//> fill grid (1,1,1) block (64,1,1) x1 args ?p:out@2048, 2 path 36
//> fill grid (1,1,1) block (32,1,1) x1 args ?p:out@2048, 9 path 40
//> fill grid (2,1,1) block (32,1,1) x1 args ?p:out@2048, 8 path 41
#include <array>
#include <string>
#include <vector>

struct Config {
  int block = 64;
  int size = 512;
  Config(std::vector<std::string> arguments) {
    for (size_t i = 1; i < arguments.size(); i += 2)
      if (arguments[i] == "--size") size = std::stoi(arguments[i + 1]);
  }
};

struct Seeds {
  std::vector<std::array<size_t, 3>> seeds;
  void set(std::vector<std::array<size_t, 3>> given) { seeds = given; }
};

__global__ void fill(int *out, int size) { out[threadIdx.x] = size; }

int main(int argc, char **argv) {
  int *out;
  cudaMalloc(&out, 2048);
  Config config({argv, argv + argc});
  int table[128] = {};
  std::vector<int> numbers{table, table + 128};
  std::vector<int *> pointers{table, table + 128};
  fill<<<config.size / config.block, config.block>>>(out, config.size);
  fill<<<(int)numbers.size() / 64, 64>>>(out, (int)numbers.size());
  fill<<<1, 64>>>(out, (int)pointers.size());
  Seeds one, two;
  one.set({{{{8, 9, 10}}}});
  two.set({{{3, 4, 5}}, {{6, 7, 8}}});
  fill<<<(int)one.seeds.size(), 32>>>(out, (int)one.seeds[0][1]);
  fill<<<(int)two.seeds.size(), 32>>>(out, (int)two.seeds[1][2]);
}
