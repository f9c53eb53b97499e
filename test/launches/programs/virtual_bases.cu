// Virtual functions of any base, in classes that derive from several, and casts that ask what an object is.
//> k grid (11,1,1) block (103,1,1) x1 args 1 path 42
//> k grid (15,1,1) block (77,1,1) x2 args 1 path 27 43
//> k grid (9,1,1) block (3,1,1) x2 args 9 path 25 28 43
//> k grid (15,1,1) block (78,1,1) x2 args 1 path 27 43
//> k grid (23,1,1) block (3,1,1) x1 args 9 path 25 28 43
//> k grid (78,1,1) block (23,1,1) x1 args 2 path 44
//> k grid (9,1,1) block (5,1,1) x1 args 3 path 45
//> k grid (10,1,1) block (10,1,1) x1 args 5 path 46
//> k grid (28,1,1) block (4,1,1) x1 args 6 path 47
//> k grid (42,1,1) block (21,1,1) x1 args 7 path 48
//> k grid (20,1,1) block (1,1,1) x1 args 8 path 50
//> k grid (9,1,1) block (1,1,1) x1 args 9 path 51
#include <memory>
#include <vector>
#include <functional>
#include <cstdio>
__global__ void k(int n) {}
struct Plain { int a = 1; int get() { return a; } };
struct Vp : Plain { virtual int f() { return a + 10; } int b = 2; };
struct Vq : Vp { int f() override { return a + b + 100; } };
struct IRun { virtual ~IRun() {} virtual int run(int x) = 0; virtual int id() const { return 77; } };
struct ILog { virtual void log(int) = 0; virtual int level() const = 0; virtual ~ILog() = default; };
struct Data { int w = 5; };
struct Both : Data, IRun, ILog { int z = 9; int run(int x) override { return x + w + z; } void log(int n) override { k<<<level(), 3>>>(n + w); } int level() const override { return z; } };
struct More : Both { int level() const override { return z * 2 + w; } int id() const override { return 78; } };
void useRun(IRun& r) { k<<<r.run(1), r.id()>>>(1); }
void useLog(ILog* l) { l->log(4); }
struct Mixin { virtual int mix() const { return 3; } };
template <class B> struct Wrap : B, Mixin { int mix() const override { return B::mixed() * 7; } };
struct Core { int c = 4; int mixed() const { return c; } };
struct Abstract { Abstract() : n(init()) {} virtual int name() const = 0; int call() const { return name() * n; } int n; int init() { return 2; } virtual ~Abstract(); };
Abstract::~Abstract() {}
struct Impl final : Abstract { int name() const override { return 21; } };
struct Visitor; struct Node { virtual void accept(Visitor& v) const = 0; virtual ~Node() = default; };
struct Leaf; struct Pair; struct Visitor { int sum = 0; void visit(const Leaf&); void visit(const Pair&); };
struct Leaf : Node { int v; Leaf(int v) : v(v) {} void accept(Visitor& vis) const override { vis.visit(*this); } };
struct Pair : Node { std::unique_ptr<Node> l, r; Pair(std::unique_ptr<Node> a, std::unique_ptr<Node> b) : l(std::move(a)), r(std::move(b)) {} void accept(Visitor& vis) const override { vis.visit(*this); } };
void Visitor::visit(const Leaf& l) { sum += l.v; }
void Visitor::visit(const Pair& p) { p.l->accept(*this); p.r->accept(*this); sum++; }
int main() {
  Vp vp; Vq vq; Vp* p = &vq; k<<<vp.f(), p->f()>>>(p->get());
  Both both; useRun(both); useLog(&both); More more; useRun(more); useLog(&more);
  IRun* r = &more; ILog* l = &more; k<<<r->id(), l->level()>>>(2);
  if (auto* m = dynamic_cast<More*>(r)) k<<<m->z, m->w>>>(3);
  IRun* rb = &both; if (auto* m = dynamic_cast<More*>(rb)) k<<<m->z, m->w>>>(4); else k<<<10, 10>>>(5);
  Wrap<Core> w; Mixin* mix = &w; k<<<mix->mix(), w.mixed()>>>(6);
  Impl impl; Abstract& a = impl; k<<<a.call(), a.name()>>>(7);
  auto tree = std::make_unique<Pair>(std::make_unique<Leaf>(5), std::make_unique<Pair>(std::make_unique<Leaf>(6), std::make_unique<Leaf>(7)));
  Visitor v; tree->accept(v); k<<<v.sum, 1>>>(8);
  Both copy = more; useLog(&copy); ILog& lr = copy; k<<<lr.level(), 1>>>(9);
  std::vector<std::shared_ptr<IRun>> runs{std::make_shared<Both>(), std::make_shared<More>()};
  for (auto& x : runs) useRun(*x);
}
