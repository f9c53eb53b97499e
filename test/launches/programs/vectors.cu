// Containers of the standard library and of thrust: how long they are, what is in them, and which memory they have.
//> k grid (4096,1,1) block (256,1,1) x1 args ?p:d@4194304, 1048576 path 29 36
//> k grid (2,1,1) block (224,1,1) x1 args ?p:d@1280, 320 path 29 42
//> k grid (1,1,1) block (512,1,1) x1 args ?p:d@400, 100 path 29 43
//> k grid (1,1,1) block (512,1,1) x1 args ?p:d@800, 200 path 29 43
//> k grid (32,1,1) block (32,1,1) x1 args ?p:d@4000, 1000 path 29 48
//> k grid (16,1,1) block (64,1,1) x1 args ?p:d@4000, 1000 path 29 48
//> k grid (21,1,1) block (96,1,1) x1 args ?p:d@8000, 2000 path 29 48
//> k grid (1,1,1) block (192,1,1) x1 args null, 192 path 51
//> k grid (2,1,1) block (224,1,1) x1 args null, 192 path 51
//> k grid (3,1,1) block (288,1,1) x1 args ?p:buffer@1024, 0 path 55
//> k grid (3,1,1) block (288,1,1) x1 args ?p:buffer@2048, 0 path 55
//> k grid (24,1,1) block (320,1,1) x1 args null, 3 path 59
//> k grid (1,1,1) block (352,1,1) x1 args ?p:p@20000, 5000 path 62
//> k grid (?,1,1) block (384,1,1) x1 args ?p:d@null, ? path 29 66
#include <numeric>
#include <tuple>
#include <vector>
#include <thrust/device_vector.h>
__global__ void k(const float* p, int n) {}

struct Case { int n; std::vector<int> blocks; std::string name; };
static const std::vector<int> sizes = {100, 200};

void run(const std::vector<float>& h, int block) {
    float* d;
    cudaMalloc(&d, h.size() * sizeof(float));
    cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
    k<<<(h.size() + block - 1) / block, block>>>(d, h.size());
}

int main() {
    const int n = 1 << 20;
    std::vector<float> h(n), zeros(n, 0.f);
    for (int i = 0; i < n; i++) h[i] = rand();
    run(h, 256);

    std::vector<int> grown;
    for (int i = 1; i <= 2; i++) grown.push_back(i * 160);
    grown.insert(grown.begin(), 7);
    grown.erase(grown.begin() + 1);
    run(std::vector<float>(grown.back()), grown[0] * 32);
    for (auto size : sizes) run(std::vector<float>(size), 512);

    std::vector<Case> cases{{1000, {32, 64}, "small"}};
    cases.push_back({2000, {96}, "large"});
    for (const auto& c : cases)
        for (int block : c.blocks) run(std::vector<float>(c.n, 1.0f), block);

    std::vector<std::tuple<int, int>> shapes = {{1, 192}, {2, 224}};
    for (auto& [grid, block] : shapes) k<<<grid, block>>>(nullptr, std::get<1>(shapes[0]));

    std::vector<float*> buffers(2);
    for (int i = 0; i < 2; i++) cudaMalloc(&buffers[i], 1024 * (i + 1));
    for (auto buffer : buffers) k<<<3, 288>>>(buffer, 0);

    std::vector<int> shape = {2, 3, 4};
    int total = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<int>());
    k<<<total, 320>>>(nullptr, shape.size());

    thrust::device_vector<float> d(5000);
    k<<<1, 352>>>(thrust::raw_pointer_cast(d.data()) + 16, d.size());

    std::vector<float> unknown;
    fill_from_a_file(unknown);
    run(unknown, 384);
}
