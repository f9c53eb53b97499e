// Inherited constructors, bases under qualified names, factories, CRTP, singletons, operators, copies by constructors of the program's own.
//> k grid (2,1,1) block (32,1,1) x1 args 5 path 77 79
//> k grid (2,1,1) block (96,1,1) x1 args 6 path 77 79
//> k grid (15,1,1) block (64,1,1) x1 args 7 path 77 80
//> k grid (9,1,1) block (64,1,1) x1 args 6 path 77 80
//> k grid (4,1,1) block (160,1,1) x1 args 4 path 77 81
//> k grid (1,1,1) block (96,1,1) x1 args 9 path 77 82
//> k grid (1,1,1) block (192,1,1) x1 args 9 path 77 82
//> k grid (7,1,1) block (11,1,1) x1 args 1 path 83
//> k grid (9,1,1) block (64,1,1) x1 args 2 path 84
//> k grid (1,1,1) block (32,1,1) x1 args 1000 path 59 59 85
//> k grid (8,1,1) block (128,1,1) x1 args 1000 path 60 59 85
//> k grid (1,1,1) block (32,1,1) x1 args 1001 path 59 61 59 85
//> k grid (2,1,1) block (32,1,1) x1 args 1000 path 61 59 85
//> k grid (32,1,1) block (64,1,1) x1 args 2000 path 60 59 85
//> k grid (1,1,1) block (32,1,1) x1 args 500 path 59 59 86
//> k grid (2,1,1) block (256,1,1) x1 args 500 path 60 59 86
//> k grid (3,1,1) block (32,1,1) x1 args 3 path 86
//> k grid (1,1,1) block (32,1,1) x1 args 201 path 59 61 59 87
//> k grid (2,1,1) block (32,1,1) x1 args 200 path 61 59 87
//> k grid (7,1,1) block (64,1,1) x1 args 400 path 60 59 87
//> k grid (1,1,1) block (32,1,1) x1 args 300 path 59 59 87
//> k grid (10,1,1) block (32,1,1) x1 args 300 path 60 59 87
//> k grid (2,1,1) block (64,1,1) x1 args 77 path 60 88
//> k grid (1,1,1) block (64,1,1) x1 args 64 path 60 89
//> k grid (1,1,1) block (128,1,1) x1 args 64 path 60 89
//> k grid (4,1,1) block (64,1,1) x1 args 100 path 66 90
//> k grid (4,1,1) block (512,1,1) x1 args 2048 path 66 90
//> k grid (12,1,1) block (384,1,1) x1 args 8 path 91
//> k grid (10,1,1) block (13,1,1) x1 args 0 path 92
//> k grid (4,5,1) block (6,9,1) x1 args 5 path 92
//> k grid (23,1,1) block (32,1,1) x1 args 8 path 92
//> k grid (4,1,1) block (3,1,1) x1 args 4 path 92
//> k grid (15,1,1) block (32,1,1) x1 args 6 path 93
//> k grid (1,1,1) block (1,1,1) x1 args 102 path 94
//> k grid (112,1,1) block (113,1,1) x1 args 202 path 94
//> k grid (5,1,1) block (1,1,1) x1 args 0 path 94
//> k grid (113,1,1) block (3,1,1) x1 args 5 path 95
//> k grid (1,1,1) block (11,1,1) x1 args 2 path 96
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include <stdexcept>
__global__ void k(int n) {}
__global__ void f(float* p, int n) {}
namespace ns { template <typename T> struct Base { T value; int block; Base(T v) : value(v), block(32) {} Base(T v, int b) : value(v), block(b) {} virtual ~Base() {} virtual int grid() const { return 1; } T get() const { return value; } }; 
struct Plain { int w, h; Plain(int w_, int h_ = 3) : w(w_), h(h_) {} }; }
struct A : ns::Base<int> { using ns::Base<int>::Base; int grid() const override { return 2; } };
struct B : ns::Base<int> { int extra; B(int x) : ns::Base<int>(x, 64), extra(x + 1) {} int grid() const override { return value + extra; } };
struct C : public B, private ns::Plain { C(int x) : B(x * 2), ns::Plain(x) {} int grid() const final { return w * h; } };
template <typename T> struct D : ns::Base<T> { using Base = ns::Base<T>; using Base::Base; int grid() const override { return (int)this->value; } };
template <typename T> struct E : ns::Base<T> { E(T t) : ns::Base<T>(t, 96) {} E(T t, int n) : ns::Base<T>::Base(t, n) {} };
struct P : ns::Plain { using Plain::Plain; int sum() { return w + h; } };
class Solver { public: virtual ~Solver() = default; virtual void solve(int n) = 0; virtual const char* name() const = 0; void run(int n) { prepare(n); solve(n * scale()); } protected: virtual int scale() const { return 1; } virtual void prepare(int n) { k<<<1, 32>>>(n); } };
class Jacobi : public Solver { int block_; public: explicit Jacobi(int block) : block_(block) {} void solve(int n) override { k<<<(n + block_ - 1) / block_, block_>>>(n); } const char* name() const override { return "jacobi"; } };
class GaussSeidel : public Jacobi { public: GaussSeidel() : Jacobi(64) {} protected: int scale() const override { return 2; } void prepare(int n) override { Solver::prepare(n + 1); k<<<2, 32>>>(n); } };
enum class Kind { Jacobi, GaussSeidel };
std::unique_ptr<Solver> create(Kind kind) { switch (kind) { case Kind::Jacobi: return std::make_unique<Jacobi>(128); case Kind::GaussSeidel: return std::make_unique<GaussSeidel>(); } throw std::runtime_error("kind"); }
std::unique_ptr<Solver> create(const std::string& name) { if (name == "jacobi") return std::unique_ptr<Solver>(new Jacobi(256)); if (name == "gs") return std::make_unique<GaussSeidel>(); return nullptr; }
std::map<std::string, std::function<std::unique_ptr<Solver>()>> registry = { {"j32", [] { return std::make_unique<Jacobi>(32); }}, {"gs", [] { return std::make_unique<GaussSeidel>(); }} };
template <typename Derived> struct Launcher { void go(int n) { auto& self = static_cast<Derived&>(*this); k<<<self.grid(n), Derived::kBlock>>>(n); } int grid(int n) { return (n + 31) / 32; } };
struct Small : Launcher<Small> { static constexpr int kBlock = 64; };
struct Big : Launcher<Big> { static const int kBlock = 512; int grid(int n) { return n / kBlock; } };
struct Context { static Context& instance() { static Context c; return c; } int block = 320; static int launches; static inline int width = 7; void bump() { block += 32; launches++; } private: Context() { width = 8; } };
int Context::launches = 10;
struct Vec2 { int x, y; Vec2 operator+(const Vec2& o) const { return {x + o.x, y + o.y}; } Vec2& operator*=(int s) { x *= s; y *= s; return *this; } friend Vec2 operator-(const Vec2& a, const Vec2& b) { return Vec2{a.x - b.x, a.y - b.y}; } bool operator==(const Vec2& o) const { return x == o.x && y == o.y; } int operator[](int i) const { return i ? y : x; } int operator()(int s) const { return x * s + y; } operator dim3() const { return dim3(x, y); } Vec2 operator-() const { return {-x, -y}; } Vec2& operator++() { ++x; return *this; } Vec2 operator++(int) { Vec2 o = *this; ++x; return o; } };
Vec2 operator*(int s, Vec2 v) { return {s * v.x, s * v.y}; }
struct Meters { int v; Meters(int x) : v(x) {} explicit operator int() const { return v; } }; 
int feet(Meters m) { return m.v * 3; }
struct Tracker { int n; Tracker(int n) : n(n) {} Tracker(const Tracker& o) : n(o.n + 1) {} Tracker(Tracker&& o) noexcept : n(o.n + 100) { o.n = 0; } Tracker& operator=(const Tracker& o) { n = o.n + 10; return *this; } };
int take(Tracker t) { return t.n; }
void poly(const ns::Base<int>& b) { k<<<b.grid(), b.block>>>(b.get()); }
int main() {
  A a(5), a2(6, 96); poly(a); poly(a2);
  B b(7); poly(b); C c(3); poly(c);
  D<int> d(4, 160); poly(d);
  E<int> e(9), e2(9, 192); poly(e); poly(e2);
  P p(4); P p2{5, 6}; k<<<p.sum(), p2.sum()>>>(1);
  ns::Base<int>* ptr = &c; k<<<ptr->grid(), ptr->block>>>(2);
  create(Kind::Jacobi)->run(1000); create(Kind::GaussSeidel)->run(1000);
  create("jacobi")->run(500); if (auto s = create("none")) s->run(1); else k<<<3, 32>>>(3);
  for (auto& [name, make] : registry) { auto s = make(); s->run(name.size() * 100); }
  registry["gs"]()->solve(77);
  std::vector<std::unique_ptr<Solver>> all; all.push_back(create("gs")); all.push_back(create(Kind::Jacobi)); for (auto& s : all) if (strcmp(s->name(), "jacobi") == 0) s->solve(64);
  Small().go(100); Big big; big.go(2048);
  Context::instance().bump(); Context::instance().bump(); k<<<Context::launches, Context::instance().block>>>(Context::width);
  Vec2 u{2, 3}, v{4, 5}; Vec2 w = u + v; w *= 2; w = w - u; k<<<w.x, w.y>>>(w == u); k<<<v, 3 * u>>>(v[1]); k<<<u(10), 32>>>((-u).x + 10); ++u; Vec2 old = u++; k<<<u.x, old.x>>>(4);
  k<<<feet(5), 32>>>((int)Meters(6));
  Tracker t(1); Tracker t2 = t; Tracker t3 = std::move(t2); k<<<t.n, t2.n + 1>>>(t3.n); t = t3; k<<<t.n, take(t)>>>(take(std::move(t3))); k<<<take(Tracker(5)), 1>>>(t3.n);
  std::vector<Tracker> ts; ts.reserve(4); ts.push_back(t); ts.emplace_back(3); k<<<ts[0].n, ts[1].n>>>(5);
  struct Holder { Tracker t; int z; }; Holder h{Tracker(1), 2}; Holder h2 = h; h2 = h; k<<<h.t.n, h2.t.n>>>(h2.z);
}
