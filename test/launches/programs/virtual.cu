// Virtual functions: through pointers, references and smart pointers, overridden, inherited, and named by their class.
//> a grid (10,1,1) block (32,1,1) x1 args 10 path 31 45 56
//> b grid (9,1,1) block (64,1,1) x1 args 10 path 37 45 57
//> b grid (5,1,1) block (64,1,1) x1 args 11 path 37 42 59
//> c grid (3,1,1) block (64,1,1) x1 args 11 path 42 59
//> b grid (4,1,1) block (64,1,1) x1 args 12 path 37 62
//> c grid (8,1,1) block (32,1,1) x1 args 0 path 63
//> a grid (13,1,1) block (32,1,1) x1 args 13 path 31 69
//> b grid (6,1,1) block (64,1,1) x1 args 13 path 37 69
//> b grid (5,1,1) block (64,1,1) x1 args 13 path 37 42 69
//> c grid (3,1,1) block (64,1,1) x1 args 13 path 42 69
//> a grid (14,1,1) block (7,1,1) x1 args 0 path 70
//> a grid (1,1,1) block (32,1,1) x1 args 1 path 31 28 71
//> a grid (2,1,1) block (32,1,1) x1 args 2 path 31 28 71
#include <memory>
#include <string>
#include <vector>
__global__ void a(int n) {}
__global__ void b(int n) {}
__global__ void c(int n) {}

struct Runner {
    int block = 32;
    virtual ~Runner() {}
    virtual void run(int n) = 0;
    virtual std::string name() const { return "base"; }
    virtual int size() const { return 7; }
    void twice() { run(1); run(2); }
};
struct A : Runner {
    void run(int n) override { a<<<n, block>>>(n); }
    std::string name() const override { return "A"; }
};
struct B : Runner {
    int grid;
    B(int blocks) : grid(blocks) { block = 64; }
    void run(int n) override { b<<<grid, block>>>(n); }
    int size() const override { return Runner::size() + 1; }
};
struct C final : B {
    C() : B(5) {}
    void run(int n) override { B::run(n); c<<<3, block>>>(n); }
};

void use(Runner& runner) { runner.run(10); }

std::unique_ptr<Runner> make(const std::string& which) {
    if (which == "A") return std::make_unique<A>();
    if (which == "B") return std::make_unique<B>(4);
    return nullptr;
}

int main() {
    A one;
    B two(9);
    use(one);
    use(two);
    Runner* made = new C();
    made->run(11);
    auto chosen = make("B");
    if (chosen) {
        chosen->run(12);
        if (chosen->name() == "base") c<<<chosen->size(), 32>>>(0);
    }
    std::vector<std::unique_ptr<Runner>> all;
    all.push_back(std::make_unique<A>());
    all.emplace_back(new B(6));
    all.push_back(std::make_unique<C>());
    for (auto& each : all) each->run(13);
    for (const auto& each : all) if (each->name() == "A") a<<<14, each->size()>>>(0);
    one.twice();
    if (make("Z")) a<<<99, 32>>>(0);
}
