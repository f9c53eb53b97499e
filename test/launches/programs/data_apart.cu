// Sizes that lie beside data, in one object: what fills the data leaves them as they are.
//> k grid (32,1,1) block (64,1,1) x1 args ?p:data@640 path 36
//> k grid (3,1,1) block (32,1,1) x1 args ?p:data@48 path 39
//> k grid (12,1,1) block (32,1,1) x1 args ?p:a.data@null path 42
//> k grid (7,1,1) block (32,1,1) x1 args ?p:m.data@4096 path 46
//> k grid (?,1,1) block (1,1,1) x1 args null path 49
//> k grid (?,1,1) block (2,1,1) x1 args null path 52
//> k grid (?,1,1) block (3,1,1) x1 args null path 55
//> k grid (?,1,1) block (4,1,1) x1 args null path 59
#include <cstdio>
#include <cstring>
#include <vector>
__global__ void k(const void* p) {}
struct Tensor {
  std::vector<int> shape;
  float* data = nullptr;
  explicit Tensor(std::vector<int> s) : shape(std::move(s)) {
    std::vector<float> host(shape[0] * shape[1]);
    cudaMalloc((void**)&data, host.size() * sizeof(float));
    cudaMemcpy(data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
};
struct Counts { int* dims; int* data; Counts() : dims(new int[2]) { dims[0] = 3; cudaMalloc(&data, 48); int h[12]; cudaMemcpy(data, h, 48, cudaMemcpyHostToDevice); } };
struct Any { std::vector<size_t> dims; void* data; size_t bytes; };
struct Mesh { int* size; float* data; };
struct Raw { int* words; float* data; };
void fill(Mesh m, int n) { for (int i = 0; i < n; i++) m.data[i] = i; }
void fillAny(Any& a, FILE* f) {
  size_t n; std::fread(&n, sizeof n, 1, f); a.bytes = n;
  cudaMalloc(&a.data, n); void* staging = malloc(n); cudaMemcpy(a.data, staging, n, cudaMemcpyHostToDevice);
}
Raw raw() { Raw r; r.words = new int[64]; r.data = new float[64]; r.words[0] = 5; return r; }
int main() {
  {
    Tensor z({32, 5});
    k<<<z.shape[0], 64>>>(z.data);
  }
  Counts c;
  k<<<c.dims[0], 32>>>(c.data);
  Any v; v.dims = {12, 4};
  fillAny(v, stdin);
  k<<<v.dims[0], 32>>>(v.data);
  Mesh m; cudaMallocManaged(&m.data, 4096); m.size = (int*)malloc(8);
  m.size[0] = 7;
  fill(m, 1024);
  k<<<m.size[0], 32>>>(m.data);
  Raw a = raw();
  float* seen = (float*)a.words; for (int i = 0; i < 64; i++) seen[i] = 1.0f;
  k<<<a.words[0], 1>>>(nullptr);
  Raw b = raw();
  cudaMemcpy(b.words, m.data, 4, cudaMemcpyDeviceToHost);
  k<<<b.words[0], 2>>>(nullptr);
  Raw d = raw();
  std::fread(d.words, 4, 1, stdin);
  k<<<d.words[0], 3>>>(nullptr);
  Raw e = raw();
  char* bytes = reinterpret_cast<char*>(e.words);
  for (int i = 0; i < 4; i++) bytes[i] = e.data[i];
  k<<<e.words[0], 4>>>(nullptr);
}
