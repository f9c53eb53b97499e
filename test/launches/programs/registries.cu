// Objects made by name through a registry of functions, given to streams; arguments that default to `{}`.
//> k<16> grid (4,1,1) block (16,1,1) x1 args 2 path 24 15 50
//> k<8> grid (2,1,1) block (8,1,1) x3 args 1 path 19 15 52
//> k<16> grid (1,1,1) block (16,1,1) x1 args 5 path 57 54
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
template <int N> __global__ void k(int n) {}
struct Options { int scale = 2; int repeat = 1; };
struct Op {
    Op(int size, Options o) : size_(size), options_(o) {}
    virtual ~Op() = default; virtual std::string name() const = 0;
    void run() { for (int r = 0; r < options_.repeat; ++r) launch(); }
    virtual void launch() = 0; int size_; Options options_;
};
struct Small : Op { using Op::Op; std::string name() const override { return "small"; }
    void launch() override { k<8><<<2, 8>>>(options_.scale); } };
struct Large : Op { using Op::Op; std::string name() const override { return "large"; }
    void launch() override {
        switch (size_) {
            case 8: k<8><<<1, size_>>>(options_.scale); break;
            case 16: k<16><<<4, size_>>>(options_.scale); break;
            default: k<32><<<1, size_>>>(options_.scale);
        }
    } };
class Registry {
public:
    using Factory = std::function<std::unique_ptr<Op>(int, Options)>;
    static Registry& instance() { static Registry registry; return registry; }
    void add(const std::string& name, Factory factory) { factories_[name] = std::move(factory); }
    std::unique_ptr<Op> make(const std::string& name, int size, Options options = {}) const {
        auto found = factories_.find(name);
        if (found == factories_.end()) throw std::out_of_range("no op " + name);
        return found->second(size, options);
    }
private:
    std::map<std::string, Factory> factories_;
};
template <class T> Registry::Factory factory() {
    return [](int size, Options options) { return std::make_unique<T>(size, options); };
}
void fill(int n, Options options = {5, 1});
int main() {
    auto& registry = Registry::instance();
    registry.add("small", factory<Small>());
    registry.add("large", factory<Large>());
    auto large = registry.make("large", 16);
    large->run();
    auto small = registry.make("small", 99, Options{1, 3});
    small->run();
    std::cout << large->name() << small->name() << large.get() << '\n';
    fill(16);
}
void fill(int n, Options options) {
    for (int i = 0; i < options.repeat; ++i) k<16><<<1, n>>>(options.scale);
}
