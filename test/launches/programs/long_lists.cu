// A loop that the device ends, each trip of which sorts so many records by what came back that the first takes most of what may be taken: a later
// one is found all the same.
//> split grid (1,1,1) block (128,1,1) x1 args ?p:pieces@65536, ?p:out@65536 path 17
//> split grid (?,1,1) block (128,1,1) x1 args ?p:pieces@65536, ?p:out@65536 path 17 | host condition `!work.empty()` taken both ways
#include <vector>
struct Piece { unsigned start, end, pivot, direction; };
__global__ void split(Piece *pieces, int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = pieces[threadIdx.x].start; }
int main() {
  Piece *pieces;
  int *out;
  cudaMalloc(&pieces, 65536);
  cudaMalloc(&out, 65536);
  std::vector<Piece> work, found, done;
  work.push_back({0, 1 << 20, 7, 1});
  while (!work.empty()) {
    found.resize(1500);
    split<<<work.size(), 128>>>(pieces, out);
    cudaMemcpy(found.data(), pieces, found.size() * sizeof(Piece), cudaMemcpyDeviceToHost);
    work.clear();
    for (auto it = found.begin(); it != found.end(); ++it) {
      if (it->direction != 9) {
        if (it->end - it->start <= 1024) {
          if (it->end - it->start > 0) done.push_back(*it);
        } else {
          work.push_back(*it);
        }
      }
    }
    found.clear();
  }
}
