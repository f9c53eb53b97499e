// Lists of braces that hold a range, not elements: of strings, pointers to pointers are none.
//> fill grid (8,1,1) block (64,1,1) x1 args ?p:out@2048, 512 path 26 | argc = 1
//> fill grid (2,1,1) block (64,1,1) x1 args ?p:out@2048, 128 path 27
//> fill grid (1,1,1) block (64,1,1) x1 args ?p:out@2048, 2 path 28
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
}
