// Lists that take thousands of steps to fill, as meshes and graphs have them: their sizes are known, and so are launches behind them.
//> fluxes grid (32,1,1) block (128,1,1) x1 args ?p:flux@1048576, 4032 path 24
//> nodes grid (33,1,1) block (128,1,1) x1 args ?p:flux@1048576, 4097 path 25
#include <vector>

struct Edge {
  int left, right;
  float x, y;
};

__global__ void fluxes(float *flux, int edges) { flux[threadIdx.x] = edges; }
__global__ void nodes(float *flux, int count) { flux[threadIdx.x] = count; }

int main() {
  const int side = 64;
  std::vector<Edge> edges;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i + 1 < side; ++i) edges.push_back({j * side + i, j * side + i + 1, 1.f, 0.f});
  std::vector<int> rows{0};
  for (int j = 0; j < side * side; ++j) rows.push_back(j);
  float *flux;
  cudaMalloc(&flux, 1 << 20);
  const int count = (int)edges.size();
  fluxes<<<(count + 127) / 128, 128>>>(flux, count);
  nodes<<<((int)rows.size() + 127) / 128, 128>>>(flux, (int)rows.size());
}
