// Maps from names to functions and sizes.
//> k grid (1,1,1) block (32,1,1) x2 args 1 path 20 21
//> k grid (2,1,1) block (64,1,1) x2 args 2 path 19 22
//> k grid (3,1,1) block (96,1,1) x1 args 0 path 29
//> k grid (4,1,1) block (128,1,1) x1 args 4 path 30
//> k grid (5,1,1) block (256,1,1) x1 args 5 path 15 32
//> k grid (6,1,1) block (64,1,1) x1 args 6 path 34
//> k grid (6,1,1) block (192,1,1) x1 args 6 path 34
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
__global__ void k(int n) {}
template <int B> void launch(int n) { k<<<n, B>>>(n); }

int main() {
    std::map<std::string, std::function<void()>> byName;
    byName["second"] = [&] { k<<<2, 64>>>(2); };
    byName["first"] = [&] { k<<<1, 32>>>(1); };
    byName["first"]();
    for (auto& [name, run] : byName) run();
    auto missing = byName.find("third");
    if (missing != byName.end()) missing->second();
    if (byName.count("second")) byName.at("second")();
    std::unordered_map<std::string, int> sizes = {{"small", 96}, {"big", 128}};
    sizes["huge"] = 160;
    sizes.insert({"small", 1});
    k<<<sizes.size(), sizes["small"]>>>(sizes["nothing"]);
    for (const auto& entry : sizes) if (entry.first == "big") k<<<4, entry.second>>>(4);
    std::map<int, void (*)(int)> bySize = {{256, launch<256>}, {128, launch<128>}};
    bySize[256](5);
    std::set<int> blocks = {192, 64, 192};
    for (int block : blocks) k<<<6, block>>>(6);
}
