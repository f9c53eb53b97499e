// A library's file without callers: its templates are compiled for the instances that it asks for, of those that it calls itself too.
//> scale<3,float> grid (3,1,1) block (128,1,1) x1 args ?p:p@null, 3 path 32 34
//> scale<2,double> grid (4,1,1) block (64,1,1) x1 args ?p:p@null, ? path 20 24
//> scale<16,float> grid (16,1,1) block (64,1,1) x1 args ?p:p@null, 7 path 28
//> scale<2,short> grid (4,1,1) block (64,1,1) x1 args ?p:p@null, ? path 20 24
//> scale<5,float> grid (5,1,1) block (128,1,1) x1 args ?p:p@null, 5 path 32
#include "cuda_runtime.h"

template <int N, typename T>
__global__ void scale(T *p, int n) {
  if (threadIdx.x < n) p[threadIdx.x * N] = 0;
}

namespace lib {
struct Params {
  int n;
};
template <int N, typename T>
void impl(T *p, const Params &params) {
  scale<N, T><<<4, 32 * N>>>(p, params.n);
}
template <typename T>
void run(T *p, Params &params) {
  impl<2, T>(p, params);
}
template <int N>
void fixed(float *p) {
  scale<N, float><<<N, 64>>>(p, 7);
}
template <int N>
void called(float *p) {
  scale<N, float><<<N, 128>>>(p, N);
}
void caller(float *p) { called<3>(p); }
}  // namespace lib

template void lib::run<double>(double *, lib::Params &);
extern template void lib::fixed<8>(float *);
template void lib::fixed<16>(float *p);
namespace lib {
template void run(short *, Params &);
template void called<5>(float *);
template struct std::pair<int, float>;
template void nothing<5>(float *);
}  // namespace lib
