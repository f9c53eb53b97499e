// Tables of cases: records with names, functions and sizes in arrays, vectors, pairs and tuples; functions kept in std::function.
//> first grid (1,1,1) block (128,1,1) x1 args 128 path 30
//> second grid (1,1,1) block (256,1,1) x1 args 256 path 30
//> sized<7> grid (2,1,1) block (96,1,1) x1 args 2 path 33
//> first grid (3,1,1) block (160,1,1) x1 args 256 path 35 38
//> sized<64> grid (4,1,1) block (64,1,1) x1 args 256 path 20 38
//> second grid (4,1,1) block (352,1,1) x1 args 4 path 40
//> first grid (1,1,1) block (16,16,1) x1 args 5 path 42
//> first grid (2,1,1) block (32,4,1) x1 args 5 path 42
//> second grid (7,1,1) block (224,1,1) x1 args 7 path 44
//> second grid (8,1,1) block (32,1,1) x1 args 8 path 46 47
//> second grid (6,1,1) block (32,1,1) x1 args 6 path 50
#include <functional>
#include <string>
#include <tuple>
#include <vector>
__global__ void first(int n) {}
__global__ void second(int n) {}
template <int B> __global__ void sized(int n) {}
template <int B> void launch(int n) { sized<B><<<n / B, B>>>(n); }

struct Case { const char* name; int block; void (*kernel)(int); };
struct Named { std::string name; int block; std::function<void(int)> run; };

int main(int argc, char** argv) {
    std::string only = argc > 1 ? argv[1] : "";
    std::vector<Case> cases = {{"a", 128, first}, {"b", 256, second}};
    for (auto& each : cases) {
        if (!only.empty() && only != each.name) continue;
        each.kernel<<<1, each.block>>>(each.block);
    }
    Case table[] = {{"x", 32, first}, {"y", 96, sized<7>}};
    for (const Case& each : table) if (strcmp(each.name, "y") == 0) each.kernel<<<2, each.block>>>(2);
    std::vector<Named> named;
    named.push_back({"first", 160, [](int n) { first<<<3, 160>>>(n); }});
    named.push_back({"second", 192, [&](int n) { second<<<3, 192>>>(n); }});
    named.push_back({"third", 224, launch<64>});
    for (const auto& each : named) if (each.name != "second") each.run(256);
    std::vector<std::pair<std::string, int>> pairs = {{"u", 320}, {"v", 352}};
    for (auto& each : pairs) if (each.first == "v") second<<<4, each.second>>>(4);
    std::vector<std::tuple<int, int, int>> shapes = {{16, 16, 1}, std::make_tuple(32, 4, 2)};
    for (auto [x, y, z] : shapes) first<<<dim3(z), dim3(x, y)>>>(5);
    std::vector<std::tuple<std::string, int, void (*)(int)>> entries = {{"x", 192, first}, {"y", 224, second}};
    for (const auto& [name, block, kernel] : entries) if (name == "y") kernel<<<7, block>>>(7);
    std::vector<std::function<void()>> tests;
    tests.push_back([&] { second<<<8, 32>>>(8); });
    for (auto& test : tests) test();
    const char* names[] = {"one", "two"};
    void (*kernels[])(int) = {first, second};
    for (int i = 0; i < 2; i++) if (std::string(names[i]) == "two") kernels[i]<<<6, 32>>>(6);
}
