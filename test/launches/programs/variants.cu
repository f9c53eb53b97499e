// std::variant: what is visited with a lambda for each type, with a visitor class and with a generic lambda; what is asked for by type and by place.
//> scale grid (1,1,1) block (32,1,1) x1 args 2 path 30 29 38
//> gather grid (3,1,1) block (64,1,1) x1 args 3 path 31 29 38
//> gather grid (7,1,1) block (64,1,1) x1 args 7 path 31 29 38
//> scale grid (1,1,1) block (96,1,1) x1 args 5 path 20 40
//> gather grid (1,1,1) block (96,1,1) x1 args 9 path 21 43
//> scale grid (1,1,1) block (128,1,1) x1 args 4 path 45 45
//> gather grid (1,1,1) block (160,1,1) x1 args 8 path 47
//> gather grid (1,1,1) block (192,1,1) x1 args 8 path 49
//> scale grid (1,1,1) block (224,1,1) x1 args 6 path 51
#include <variant>
#include <vector>
__global__ void scale(int n) {}
__global__ void gather(int n) {}
struct Scale { int by; };
struct Gather { int stride; int block = 64; };
using Op = std::variant<std::monostate, Scale, Gather>;
struct Visitor {
    void operator()(std::monostate) const {}
    void operator()(const Scale& op) const { scale<<<1, 96>>>(op.by); }
    void operator()(const Gather& op) const { gather<<<1, 96>>>(op.stride); }
};
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
struct Runner {
    Op op;
    int factor;
    void run() {
        std::visit(overloaded{[](std::monostate) {},
                              [this](const Scale& op) { scale<<<1, 32>>>(op.by * factor); },
                              [](const Gather& op) { gather<<<op.stride, op.block>>>(op.stride); }}, op);
    }
};
int main() {
    std::vector<Runner> runners{{Scale{2}, 1}, {Gather{3}, 2}};
    runners.push_back(Runner{Gather{7}, 1});
    runners.push_back(Runner{{}, 1});
    for (Runner& each : runners) each.run();
    Op op = Scale{5};
    std::visit(Visitor{}, op);
    Op copied = op;
    copied.emplace<Gather>(9);
    std::visit(Visitor{}, copied);
    op = Scale{4};
    std::visit([](const auto& each) { if constexpr (std::is_same_v<std::decay_t<decltype(each)>, Scale>) scale<<<1, 128>>>(each.by); }, op);
    op = Gather{8};
    if (auto* each = std::get_if<Gather>(&op)) gather<<<1, 160>>>(each->stride);
    if (std::get_if<Scale>(&op)) scale<<<1, 1>>>(0);
    if (op.index() == 2) gather<<<1, 192>>>(std::get<2>(op).stride);
    op = Scale{6};
    if (std::holds_alternative<Scale>(op)) scale<<<1, 224>>>(std::get<Scale>(op).by);
}
