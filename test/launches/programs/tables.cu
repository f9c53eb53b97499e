// Functions that are stored: in tables, in a std::function among others, handed to templates and to code that is not in sight.
//> a grid (1,1,1) block (32,1,1) x1 args 0 path 23
//> b grid (2,1,1) block (32,1,1) x1 args 1 path 23
//> b grid (5,1,1) block (64,1,1) x1 args 5 path 19 24
//> a grid (6,1,1) block (96,1,1) x1 args 6 path 25 26
//> a grid (7,1,1) block (160,1,1) x1 args 7 path 29 32
//> b grid (8,1,1) block (128,1,1) x1 args 8 path 30 32
//> a grid (?,1,1) block (192,1,1) x1 args ? path 20 | fixed is called by code that is not in sight
//> b grid (10,1,1) block (224,1,1) x1 args 10 path 34 | a lambda is called by code that is not in sight
#include <functional>
#include <vector>
__global__ void a(int n) {}
__global__ void b(int n) {}
typedef void (*Kernel)(int);
static Kernel kernels[] = {a, b};
struct Bench { std::function<void()> run; const char* name; };

template <typename F, typename... Args>
void launch(F kernel, dim3 grid, dim3 block, Args... args) { kernel<<<grid, block>>>(args...); }
template <int Block> void fixed(int n) { a<<<n, Block>>>(n); }

int main() {
    for (int i = 0; i < 2; i++) kernels[i]<<<i + 1, 32>>>(i);
    launch(b, dim3(5), dim3(64), 5);
    auto generic = [&](auto kernel, int block) { kernel<<<6, block>>>(6); };
    generic(a, 96);
    std::vector<Bench> benches;
    int block = 128;
    benches.push_back({[&] { a<<<7, block>>>(7); }, "first"});
    benches.push_back({[=] { b<<<8, block>>>(8); }, "second"});
    block = 160;
    for (auto& bench : benches) bench.run();
    time_it(fixed<192>, 9);
    time_it([&] { b<<<10, 224>>>(10); });
}
