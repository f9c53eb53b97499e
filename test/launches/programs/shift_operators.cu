// Operators whose names have angle brackets, defined out of their classes.
//> k grid (2,1,1) block (128,1,1) x1 args ?p:q.d@4096, 256 path 10 18
//> k grid (4,1,1) block (128,1,1) x1 args ?p:q.d@4096, 512 path 10 18
//> k grid (3,1,1) block (32,1,1) x1 args ?p:q.d@4096, 3 path 8 19
//> k grid (10,1,1) block (64,1,1) x1 args ?p:q.d@4096, 640 path 13 21
//> k grid (5,1,1) block (32,1,1) x1 args ?p:q.d@4096, 5 path 8 22
__global__ void k(float *p, int n) {}
struct S { int n; void go(float *p) { k<<<n, 32>>>(p, n); } };
template <class T> struct Q { T *d; S s; Q &operator<<(int m); S *operator->(); };
template <class T> Q<T> &Q<T>::operator<<(int m) { k<<<m / 128, 128>>>(d, m); return *this; }
template <class T> S *Q<T>::operator->() { return &s; }
namespace n { struct R { float *d; S s; R &operator<<(int m); S *operator->(); }; }
n::R &n::R::operator<<(int m) { k<<<m / 64, 64>>>(d, m); return *this; }
S *n::R::operator->() { return &s; }
int main() {
  Q<float> q; cudaMalloc(&q.d, 4096);
  q.s.n = 3;
  q << 256 << 512;
  q->go(q.d);
  n::R r; r.d = q.d; r.s.n = 5;
  r << 640;
  r->go(r.d);
}
