// A function gives the configuration as a struct; enums, ternaries, recursion and static members take part.
//> k grid (3,1,1) block (128,1,1) shared 512 x1 args 300, 1 path 30
//> k grid (2,1,1) block (512,1,1) shared 2048 x1 args 1000, 2 path 30
//> k grid (1,1,1) block (32,1,1) x1 args 120, 0 path 31
__global__ void k(int n, int mode) {}

enum class Mode { Plain, Fast = 1, Wide };
struct LaunchConfig { int threads; int blocks; size_t shared; };

struct Limits {
    static constexpr int small = 128;
    static const int large = 512;
};

namespace detail {
LaunchConfig pick(int n, Mode mode) {
    LaunchConfig c;
    c.threads = mode == Mode::Wide ? Limits::large : Limits::small;
    c.blocks = (n + c.threads - 1) / c.threads;
    c.shared = c.threads * sizeof(float);
    return c;
}
}
int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int main() {
    struct { int n; Mode mode; } cases[] = {{300, Mode::Fast}, {1000, Mode::Wide}};
    for (auto &c : cases) {
        auto config = detail::pick(c.n, c.mode);
        k<<<config.blocks, config.threads, config.shared>>>(c.n, (int)c.mode);  }
    k<<<1, 32>>>(factorial(5), 0);
}
