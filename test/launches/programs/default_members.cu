// Objects made of nothing have what their members say; static members what stands outside of their class.
//> k grid (2,1,1) block (128,1,1) x1 args 1 path 37
//> k grid (2,1,1) block (128,1,1) x1 args 2 path 38
//> k grid (2,1,1) block (128,1,1) x1 args 3 path 39
//> k grid (2,1,1) block (128,1,1) x1 args 4 path 40
//> k grid (2,1,1) block (128,1,1) x1 args 5 path 41
//> k grid (2,1,1) block (128,1,1) x1 args 6 path 42
//> k grid (2,1,1) block (128,1,1) x1 args 7 path 43
//> k grid (3,1,1) block (32,1,1) x1 args 8 path 44
//> k grid (3,1,1) block (32,1,1) x1 args 9 path 45
//> k grid (11,1,1) block (32,1,1) x1 args 10 path 46
//> k grid (11,1,1) block (32,1,1) x1 args 11 path 47
//> k grid (11,1,1) block (32,1,1) x1 args 12 path 48
//> k grid (12,1,1) block (8,1,1) x1 args 15 path 49
//> k grid (3,1,1) block (12,1,1) x1 args 13 path 49
//> k grid (20,1,1) block (21,1,1) x1 args 22 path 50
//> k grid (20,1,1) block (30,1,1) x1 args 14 path 50
//> k grid (31,1,1) block (1,1,1) x1 args 15 path 50
//> k grid (4,1,1) block (3,1,1) x1 args 16 path 51
//> k grid (11,1,1) block (6,1,1) x1 args 17 path 52
#include <memory>
__global__ void k(int n) {}
struct Layer { int block = 128; int grid = 2; Layer() = default; Layer(int b, int g) : block(b), grid(g) {} };
struct In { int x = 3; };
struct Out { In in; int y; Out() = default; };
struct V { int a = 5; V() = default; virtual int f() { return a; } virtual ~V() = default; };
struct W : V { int b = 6; W() = default; int f() override { return a + b; } };
struct X { static int count; static int table[3]; static const int fixed; static constexpr int c = 4; int id; X() : id(++count) {} };
int X::count = 10;
int X::table[3] = {7, 8, 9};
const int X::fixed = 11;
template <typename T> struct Y { static int n; static T make() { return T(n++); } };
template <typename T> int Y<T>::n = 20;
namespace ns { struct Z { static int v; }; }
int ns::Z::v = 30;
int main() {
  Layer a; k<<<a.grid, a.block>>>(1);
  Layer b{}; k<<<b.grid, b.block>>>(2);
  Layer* c = new Layer; k<<<c->grid, c->block>>>(3);
  Layer* d = new Layer(); k<<<d->grid, d->block>>>(4);
  auto e = std::make_unique<Layer>(); k<<<e->grid, e->block>>>(5);
  Layer f[2]; k<<<f[1].grid, f[0].block>>>(6);
  Layer* g = new Layer[3]; k<<<g[2].grid, g[1].block>>>(7);
  Out o; k<<<o.in.x, 32>>>(8);
  auto p = std::make_shared<Out>(); k<<<p->in.x, 32>>>(9);
  V* v = new W; k<<<v->f(), 32>>>(10);
  V* w = new W(); k<<<w->f(), 32>>>(11);
  std::unique_ptr<V> x = std::make_unique<W>(); k<<<x->f(), 32>>>(12);
  X x1, x2; k<<<x2.id, X::table[1]>>>(X::fixed + X::c); X::table[0] = 3; k<<<X::table[0], X::count>>>(13);
  int y1 = Y<int>::make(), y2 = Y<int>::make(); k<<<y1, y2>>>(Y<int>::n); k<<<(int)Y<float>::make(), ns::Z::v>>>(14); ns::Z::v++; k<<<ns::Z::v, 1>>>(15);
  In h[2] = {{4}, {}}; k<<<h[0].x, h[1].x>>>(16);
  W arr[2]; k<<<arr[1].f(), arr[0].b>>>(17);
}
