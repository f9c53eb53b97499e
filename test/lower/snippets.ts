// Small CUDA texts and the IR that each must become, written by hand. `lines` is the body of the first function whose id
// begins with `of` (by default the kernel `k`), without its indentation of two.

export interface Snippet {
  readonly title: string;
  readonly source: string;
  readonly of?: string;
  readonly lines: string;
}

export const snippets: readonly Snippet[] = [
  {
    title: "conversions are explicit: promotion, usual arithmetic conversions, shifts keep their count",
    source: `__global__ void k(float* p, unsigned char c, short s, unsigned u, long long w, float f) {
      int a = c + s; unsigned b = s * u; auto d = c << w; p[a] = u / 2 + f; bool t = w > u; p[t] = -c; }`,
    lines: `
i32 a = (i32(c) + i32(s))
u32 b = (u32(s) * u)
i32 d = (i32(c) << w)
*f32[(p + a*4)] = (f32((u / 2:u32)) + f)
bool t = (w > i64(u))
*f32[(p + i32(t)*4)] = f32(-i32(c))`,
  },
  {
    title:
      "members of an unnamed struct or union are named as those of the class around it, in its functions too",
    source: `struct Vec { union { struct { float x, y; }; float at[2]; };
      __device__ float& operator[](int i) { return at[i]; } __device__ float sum() const { return x + y; } };
      __global__ void k(Vec* p) { p[1][1] = p->sum(); }`,
    of: "Vec::sum",
    lines: `return (*f32[this] + *f32[this+4])`,
  },
  {
    title: "a type that is chosen by a trait within another such type",
    source: `#include <type_traits>
      template <class T> __global__ void k(T* p) {
        using V = std::conditional_t<std::is_same_v<T, double>, double2, std::conditional_t<std::is_same_v<T, int>, int2, float2>>;
        p[0] = reinterpret_cast<V*>(p)[1].y; }
      void run(int* p) { k<int><<<1, 32>>>(p); }`,
    lines: "*i32[p] = *i32[int2*(p)+12]",
  },
  {
    title: "a choice between two lvalues is one, const where either is: a reference to it copies nothing",
    source: `struct Box { int lo[2]; int hi; };
      __global__ void k(int* out, const Box* a, Box* b, int n) { const Box& r = n > 3 ? a[n] : b[0]; out[0] = r.hi; }`,
    lines: `
Box* r = ((n > 3) ? (a + n*12) : b)
*i32[out] = *i32[r+8]`,
  },
  {
    title: "members that are called with a constant in angle brackets are no comparisons",
    source: `struct Tile { int at;
      template <int Step> __device__ int next(int from) const { return from + Step; } };
      __global__ void k(float* p, Tile t, int n) {
        p[1 + t.next<16>(n) * 2] = 1;
        if (t.next<2>(n) < t.next<8 / 2>(3) && t.at < n && n > (t.at)) p[n] = 2; }`,
    lines: `
*f32[(p + (1 + (Tile::next<16>(int)(&t, n) * 2))*4)] = 1:f32
if (((Tile::next<2>(int)(&t, n) < Tile::next<4>(int)(&t, 3)) and (t.+0:i32 < n)) and (n > t.+0:i32))
  *f32[(p + n*4)] = 2:f32`,
  },
  {
    title: "halves are made of numbers and numbers of halves, however they are rounded",
    source: `__global__ void k(int* p, __half h, short s) {
      p[__half2int_rz(h)] = __half2short_rn(h); p[0] = __half2int_rz(__short2half_rn(s)); }`,
    lines: `
*i32[(p + i32(h)*4)] = i32(rint:f16(h))
*i32[p] = i32(f16(i32(s)))`,
  },
  {
    title: "an alignment is chosen by sizes; pointers of a pack may be __restrict__",
    source: `template <int N> struct alignas(N * sizeof(float) > 16 || N % 2 != 0 ? 16 : 1 << 3) Pack { float at[N]; };
      template <typename... T> __device__ void set(int n, T* __restrict__... list) { (..., (list[n] = 1)); }
      __global__ void k(int* p, float* q) { set(alignof(Pack<4>), p); set(alignof(Pack<5>), p, q); }`,
    of: "k",
    lines: `
set<int>(int,int*)(8, p)
set<int,float>(int,int*,float*)(16, p, q)`,
  },
  {
    title: "pairs of thrust are those of the standard library",
    source: `__global__ void k(thrust::pair<char, int>* e, int* p) {
      auto made = thrust::make_pair(e[1].second, 'x'); p[sizeof made] = 1; }`,
    lines: `
std::pair<int,char> made = std::make_pair<int,char>(int,char)(*i32[e+12], 120:i8)
*i32[p+32] = 1`,
  },
  {
    title:
      "a text is as large as its characters and the zero behind them; conditions that set a variable are evaluated",
    source: `#define WORD "hello" " you"
      __global__ void k(int* p) { p[sizeof(WORD)] = sizeof "a\\n"; int n = 3; if ((n = 128) > 5) p[n] = 1; p[n] = (n = 7) ? n : 0; }`,
    lines: `
*i32[p+40] = 3
i32 n = 3
if (n = 128 > 5)
  *i32[(p + n*4)] = 1
*i32[(p + n*4)] = (bool(n = 7) ? n : 0)`,
  },
  {
    title: "numbers and enumerations are compared as such, not as objects that could be made of them",
    source: `struct Text { const char* at; Text(const char* from) : at(from) {} };
      bool operator==(const Text& a, const Text& b) { return a.at == b.at; }
      struct Real { float at; Real(float from) : at(from) {} };
      bool operator<(const Real& a, const Real& b) { return a.at < b.at; }
      enum Step { photon = 2 };
      __global__ void k(int* p, unsigned char step) { p[0] = step == photon; p[1] = step < photon; }`,
    lines: `
*i32[p] = i32((i32(step) == 2))
*i32[p+4] = i32((i32(step) < 2))`,
  },
  {
    title:
      "packed classes are as small as their members (static_assert of nvcc 13.0); where one lies in memory is not followed",
    source: `struct __attribute__((packed)) Front { char c; float v; };
      struct Behind { char c; float v; } __attribute__((__packed__));
#pragma pack(push, 2)
      struct Two { char c; float v; };
#pragma pack(push, 1)
      struct One { char c; double v; };
#pragma pack(pop)
      struct TwoAgain { short s; double v; char c; };
#pragma pack(pop)
      struct Own { char c; float v; };
      struct Wide { float a, b, c; } __attribute__((aligned(16)));
      struct Outer { struct __attribute__((packed)) Inner { char c; int v; } inner; short s; };
      struct __attribute__((packed)) Bytes { unsigned char r, g, b; };
      __global__ void k(int* p, Two* two, Bytes* bytes) {
        p[0] = sizeof(Front); p[1] = sizeof(Behind); p[2] = sizeof(Two); p[3] = sizeof(One); p[4] = sizeof(TwoAgain);
        p[5] = sizeof(Own); p[6] = sizeof(Wide); p[7] = sizeof(Outer); two[1].v = 0; bytes[1].g = 0; }`,
    lines: `
*i32[p] = 5
*i32[p+4] = 5
*i32[p+8] = 6
*i32[p+12] = 9
*i32[p+16] = 12
*i32[p+20] = 8
*i32[p+24] = 16
*i32[p+28] = 8
*f32[((two + 1*6) + unknown(Two is packed, so that nvcc moves its members in pieces)*1)+2] = 0:f32
*u8[bytes+4] = 0:u8`,
  },
  {
    title: "literals have C++'s types",
    source: `__global__ void k(long long* p) { p[0] = 0xffffffff; p[1] = 4294967295; p[2] = 1u << 31; p[3] = 07 + 0b11 + 'A' + 1'000; p[4] = 1e3f; }`,
    lines: `
*i64[p] = 4294967295:i64
*i64[p+8] = 4294967295:i64
*i64[p+16] = 2147483648:i64
*i64[p+24] = 1075:i64
*i64[p+32] = 1000:i64`,
  },
  {
    title: "arrays of rank three, constant parts folded into one address",
    source: `__global__ void k(int i) { __shared__ float a[2][3][5]; a[1][i][4] = a[i][2][i]; a[1][2][3] = 0; }`,
    lines: `
shared f32[2][3][5] a
*f32[(&*f32[3][5][&a+60] + i*20)+16] = *f32[(&*f32[5][(&a + i*60)+40] + i*4)]
*f32[&a+112] = 0:f32`,
  },
  {
    title: "local arrays at constant indices are parts of the variable",
    source: `__global__ void k(float* p, int i) { float r[4] = {1, 2}; r[2] = r[1]; r[i] = 3; p[0] = r[3]; }`,
    lines: `
f32[4] r = f32[4]{+0 1:f32, +4 2:f32}
r.+8:f32 = r.+4:f32
*f32[(&r + i*4)] = 3:f32
*f32[p] = r.+12:f32`,
  },
  {
    title: "vector casts through pointers and references, access macros",
    source: `#define F4(x) (reinterpret_cast<float4*>(&(x))[0])
      __global__ void k(float* p, int i) { float4 v = *(float4*)&p[i]; F4(p[i * 4]) = v; reinterpret_cast<float2&>(p[i]).y = v.z; p[0] = ((float2*)p)[i].x; }`,
    lines: `
float4 v = *float4[(p + i*4)]
*float4[(p + (i * 4)*4)] = v
*f32[(p + i*4)+4] = v.+8:f32
*f32[p] = *f32[(float2*(p) + i*8)]`,
  },
  {
    title: "pointers: steps, differences, comparisons, negative offsets, pointers to arrays",
    source: `__global__ void k(float* p, float* q, float (*t)[33], unsigned u) { p += u; ++q; long d = q - p; if (p < q) p[-1] = t[u][2]; *(q - u) = (*t)[1]; }`,
    lines: `
p = (p + u*4)
q = (q + 1*4)
i64 d = (q - p)/4
if (p < q)
  *f32[p-4] = *f32[(t + u*132)+8]
*f32[(q + -i64(u)*4)] = *f32[f32*(t)+4]`,
  },
  {
    title: "increments and compound assignment evaluate their index once",
    source: `__global__ void k(float* p, int* c, int i) { p[i++] = 1; p[c[i]] += 2; *p++ = 3; int j = i-- + --i; p[i = j] = 4; }`,
    lines: `
i32 $0
f32* $1
f32* $2
i32 $3
*f32[(p + [$0 = i, i = ($0 + 1), $0]*4)] = 1:f32
[$1 = (p + *i32[(c + i*4)]*4), *f32[$1] = (*f32[$1] + 2:f32)]
[$2 = p, p = ($2 + 1*4), *f32[$2] = 3:f32]
i32 j = ([$3 = i, i = ($3 - 1), $3] + i = (i - 1))
*f32[(p + i = j*4)] = 4:f32`,
  },
  {
    title: "ternaries, short circuits and comma",
    source: `__global__ void k(float* p, float* q, int i) { (i & 1 ? p : q)[i] = i > 0 && p[i] > 0 || !i; i = (i++, i + 1); const float* r = i ? p : nullptr; p[0] = *r; }`,
    lines: `
*f32[((bool((i & 1)) ? p : q) + i*4)] = f32((((i > 0) and (*f32[(p + i*4)] > 0:f32)) or !bool(i)))
i = [i = (i + 1), (i + 1)]
f32* r = (bool(i) ? p : null)
*f32[p] = *f32[r]`,
  },
  {
    title: "structs: nested, aligned, anonymous unions, by value and by pointer",
    source: `struct __align__(16) In { char c; double d; };
      struct Out { short s; In in[2]; union { float f; int n; }; };
      __global__ void k(Out o, Out* p, int i) { p[i] = o; p->in[i].d = o.in[1].c; p[1].n = sizeof(Out) + alignof(Out); }`,
    lines: `
*Out[(p + i*64)] = o
*f64[(&*In[2][p+16] + i*16)+8] = f64(o.+32:i8)
*i32[p+112] = 80`,
  },
  {
    title: "references are pointers; binding a constant makes a temporary",
    source: `__device__ void add(float& a, const float& b) { a += b; }
      __global__ void k(float* p, int i) { float& r = p[i]; r = 2; add(r, 1.0f); add(p[0], r); int x = 0; int& y = x; y = i; }`,
    lines: `
f32 $0
f32* r = (p + i*4)
*f32[r] = 2:f32
add(float&,float const&)(r, [$0 = 1:f32, &$0])
add(float&,float const&)(p, r)
i32 x = 0
i32* y = &x
*i32[y] = i`,
  },
  {
    title: "methods, constructors with member initialisers, operators, static members",
    source: `struct Tile { float* p; int ld = 7; static constexpr int width = 32; __device__ Tile(float* q) : p(q) { p += 1; }
        __device__ float& at(int i, int j) const { return p[i * ld + j]; } __device__ float& operator[](int i) { return at(i, width); } };
      __global__ void k(float* q, int i) { Tile t(q); t[i] = t.at(i, 2) + Tile::width; }`,
    lines: `
Tile t
Tile::Tile(float*)(&t, q)
*f32[Tile::operator[](int)(&t, i)] = (*f32[Tile::at(int,int)(&t, i, 2)] + 32:f32)`,
  },
  {
    title: "a constructor initialises fields in order, then runs its body",
    source: `struct Tile { float* p; int ld = 7; __device__ Tile(float* q) : p(q) { p += 1; } }; __global__ void k(float* q) { Tile t(q); }`,
    of: "Tile::Tile",
    lines: `
*f32*[this] = q
*i32[this+8] = 7
*f32*[this] = (*f32*[this] + 1*4)`,
  },
  {
    title: "templates over types, values and packs; deduction of array bounds; if constexpr",
    source: `template <typename T, int N, int M> __device__ T sum(const T (&a)[N][M]) { if constexpr (N > 2) return a[2][0]; else return a[1][M - 1]; }
      template <typename... Ts> __device__ int count(Ts... xs) { return sizeof...(Ts) + (0 + ... + xs); }
      __global__ void k(int* p) { int t[2][3]; p[0] = sum(t) + count(p[1], 2u); }`,
    lines: `
i32[2][3] t
*i32[p] = (sum<int,2,3>(int const (&)[2][3])(&t) + count<int,unsigned int>(int,unsigned int)(*i32[p+4], 2:u32))`,
  },
  {
    title: "the branch of if constexpr that is not taken leaves nothing",
    source: `template <typename T, int N, int M> __device__ T sum(const T (&a)[N][M]) { if constexpr (N > 2) return a[2][0]; else return a[1][M - 1]; }
      __global__ void k(int* p) { int t[2][3]; p[0] = sum(t); }`,
    of: "sum",
    lines: `
return *i32[i32[3]*(a)+20]`,
  },
  {
    title: "specialisations, traits, alias and variable templates, default arguments",
    source: `template <typename T> struct Pack { using type = T; static const int n = 1; }; template <> struct Pack<float> { using type = float4; static const int n = 4; };
      template <typename T> struct Pack<T*> { using type = T; static const int n = 9; };
      template <typename T> using pack_t = typename Pack<T>::type; template <typename T> constexpr int lanes = Pack<T>::n * 2;
      template <typename T = float, int K = lanes<T>> __device__ int width() { return K; }
      __global__ void k(float* p, int i) { pack_t<float> v = reinterpret_cast<pack_t<float>*>(p)[i]; p[0] = v.y + Pack<int*>::n + width() + width<int, 5>(); }`,
    lines: `
float4 v = *float4[(float4*(p) + i*16)]
*f32[p] = (((v.+4:f32 + 9:f32) + f32(width<float,8>()())) + f32(width<int,5>()()))`,
  },
  {
    title: "overloads: exact before promotion before conversion, templates last, more special first",
    source: `__device__ int f(int) { return 1; } __device__ int f(float) { return 2; } template <typename T> __device__ int f(T) { return 3; } template <typename T> __device__ int f(T*) { return 4; }
      __global__ void k(float* p, short s, double d) { p[0] = f(1) + f(1.f) + f(s) + f(d) + f(p); }`,
    lines: `
*f32[p] = f32(((((f(int)(1) + f(float)(1:f32)) + f<short>(short)(s)) + f<double>(double)(d)) + f<float>(float*)(p)))`,
  },
  {
    title: "overloads by the constness of the object",
    source: `struct V { float* d; __device__ float& at(int i) { return d[i]; } __device__ float at(int i) const { return d[i]; } };
      __global__ void k(V a, const V b, int i) { a.at(i) = b.at(i); }`,
    lines: `
*f32[V::at(int)(&a, i)] = V::at(int)#2(&b, i)`,
  },
  {
    title: "overloads by the constness of the object that a member belongs to",
    source: `struct V { float* d; __device__ float& at(int i) { return d[i]; } __device__ float at(int i) const { return d[i]; }
      __device__ float first() const { return at(0); } };
      __global__ void k(V a, float* p) { p[0] = a.first(); }`,
    of: "V::first",
    lines: `
return V::at(int)#2(this, 0)`,
  },
  {
    title: "objects that convert to numbers, as operands",
    source: `template <int N> struct C { __device__ constexpr operator int() const { return N; } };
      __global__ void k(float* p, int i) { C<3> c; p[i + c * 32] = -c; p[0] = c < i; }`,
    lines: `
C<3> c
*f32[(p + (i + (C<3>::operator cast()(&c) * 32))*4)] = f32(-C<3>::operator cast()(&c))
*f32[p] = f32((C<3>::operator cast()(&c) < i))`,
  },
  {
    title: "an index that is not understood leaves an access to be told of",
    source: `__global__ void k(float* p, int i) { p[i + made(i)] = 0; }`,
    lines: `
// gap: the function made is declared nowhere in sight
*f32[(p + unknown(the function made is declared nowhere in sight: unknown(the function made is declared nowhere in sight: i, unknown(the function made is declared nowhere in sight: i, i = unknown(the function made is declared nowhere in sight: i))))*4)] = 0:f32`,
  },
  {
    title: "lambdas capture by value and by reference",
    source: `__global__ void k(float* p, int i) { int n = 3; auto f = [=](int j) { return p[j + n]; }; auto g = [&n, m = i * 2](auto j) { n += j; return m; }; p[0] = f(i) + g(2); }`,
    lines: `
i32 n = 3
lambda#A f = lambda#A{+0 p, +8 n}
lambda#B g = lambda#B{+0 &n, +8 (i * 2)}
*f32[p] = (lambda#A::operator()(int)(&f, i) + f32(lambda#B::operator()<int>(int)(&g, 2)))`,
  },
  {
    title: "thread identities, intrinsics, atomics and shuffles",
    source: `__global__ void k(float* p, int* c) { uint3 t = threadIdx; int lane = threadIdx.x % warpSize; p[t.y] = fminf(p[lane], 1) + max(lane, 2u) + __ldg(&p[3]) + rsqrtf(2.f);
      atomicAdd(c + lane, 1u); float v = __shfl_down_sync(~0u, p[0], 4, 16); unsigned b = __ballot_sync(0xffffffff, v > 0); int l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); c[l] = __popc(b); }`,
    lines: `
uint3 t = uint3{+0 threadIdx.x, +4 threadIdx.y, +8 threadIdx.z}
i32 lane = i32((threadIdx.x % u32(warpSize)))
*f32[(p + t.+4:u32*4)] = (((fmin:f32(*f32[(p + lane*4)], 1:f32) + f32(max:u32(u32(lane), 2:u32))) + __ldg:f32(&*f32[p+12])) + rsqrt:f32(2:f32))
atomicAdd:i32((c + lane*4), 1)
f32 v = __shfl_down_sync:f32(4294967295:u32, *f32[p], 4, 16)
u32 b = __ballot_sync:u32(4294967295:u32, i32((v > 0:f32)))
i32 l
l = i32(laneid)
*i32[(c + l*4)] = __popc:i32(b)`,
  },
  {
    title: "dynamic shared memory carved, volatile, barriers, unrolled loops",
    source: `__global__ void __launch_bounds__(128, 2) k(float* p, int n) { extern __shared__ __align__(16) char raw[]; float* a = (float*)raw; int* b = (int*)&a[n];
      #pragma unroll 4
      for (int i = 0; i < n; i += 2) { b[i] = 1; __syncthreads(); }
      volatile float* v = a; while (n--) { v[n] = 0; if (n == 3) continue; __syncwarp(); } }`,
    lines: `
i32 $0
dynamic-shared i8[0] raw
f32* a = &raw
i32* b = (a + n*4)
{
  i32 i = 0
  while (i < n) step i = (i + 2) unroll(4)
    *i32[(b + i*4)] = 1
    barrier block
}
f32* v = a
while bool([$0 = n, n = ($0 - 1), $0])
  *f32[(v + n*4)] = 0:f32
  if (n == 3)
    continue
  barrier warp`,
  },
  {
    title: "switch with fallthrough and shared labels",
    source: `__global__ void k(int* p, int i) { switch (i) { case 1: case 2: p[0] = 1; case 3: { p[1] = 2; break; } default: p[2] = 3; } }`,
    lines: `
switch i
case 1, 2
  *i32[p] = 1
case 3
  {
    *i32[p+4] = 2
    break
  }
case default
  *i32[p+8] = 3`,
  },
  {
    title: "constant tables, enumerations, constexpr functions, constants folded",
    source: `enum Kind { A = 3, B }; enum class Mode : short { X = 9 }; constexpr int log2i(int x) { int r = 0; while (x > 1) { x /= 2; ++r; } return r; }
      __constant__ float c[4]; constexpr int steps[] = {1, 2, 4, 8};
      __global__ void k(float* p, int i) { const int n = log2i(64) + steps[2]; float r[n + B]; r[i] = c[i] + c[1] + steps[i]; p[(int)Mode::X] = r[sizeof(r) / sizeof(r[0]) - 1]; }`,
    lines: `
i32 n = 10
f32[14] r
*f32[(&r + i*4)] = ((*f32[(&c + i*4)] + *f32[&c+4]) + f32(*i32[(&steps + i*4)]))
*f32[p+36] = r.+52:f32`,
  },
  {
    title: "launches: dim3 by constructor, deduced templates, kernels in variables",
    source: `template <typename T, int N = 4> __global__ void k(T* p, int n) {}
      int main() { float* d; dim3 grid(8, 2); int n = 5; k<<<grid, 128>>>(d, n); k<float, 2><<<n, dim3(32, 8), n * sizeof(float), 0>>>(d, 1); auto f = k<double>; f<<<1, {2, 2}>>>((double*)d, n); }`,
    of: "main",
    lines: `
f32* d
dim3 grid = dim3{+0 8:u32, +4 2:u32, +8 1:u32}
i32 n = 5
launch k<float,4>(float*,int) <<<grid, dim3{+0 128:u32, +4 1:u32, +8 1:u32}>>> (d, n)
launch k<float,2>(float*,int) <<<dim3{+0 u32(n), +4 1:u32, +8 1:u32}, dim3{+0 32:u32, +4 8:u32, +8 1:u32}, (u64(n) * 4:u64)>>> (d, 1)
function f = function k<double,4>(double*,int)
launch f <<<dim3{+0 1:u32, +4 1:u32, +8 1:u32}, dim3{+0 2:u32, +4 2:u32, +8 1:u32}>>> (f64*(d), n)`,
  },
  {
    title:
      "a variable whose initial values are calls of the library's functions, which the grammar reads as a function",
    source: `struct Turn { float x, y; __device__ Turn(float a, float b) : x(a), y(b) {} };
      __global__ void k(Turn* p, float angle) { Turn turn(cosf(angle), sinf(angle)); float far(fmaxf(angle, turn.x)); p[1] = turn; p[2].x = far; }`,
    lines: `
Turn turn
Turn::Turn(float,float)(&turn, cos:f32(angle), sin:f32(angle))
f32 far = fmax:f32(angle, turn.+0:f32)
*Turn[p+8] = turn
*f32[p+16] = far`,
  },
  {
    title: "what is not understood is unknown, with its operands, and the rest goes on",
    source: `__global__ void k(float* p, int i) { p[0] = mystery(p[i], 2); if (i) goto end; p[1] = 3; end: p[2] = WARP_SIZE_X; }`,
    lines: `
// gap: the function mystery is declared nowhere in sight
// gap: WARP_SIZE_X is declared nowhere in sight
*f32[p] = unknown(the function mystery is declared nowhere in sight: *?[(p + i*4)], 2)
while true
  if bool(i)
    break
  *f32[p+4] = 3:f32
  break
*f32[p+8] = unknown(WARP_SIZE_X is declared nowhere in sight)`,
  },
  {
    title: "a jump to the end is a return, one backwards a loop, one out of a loop notes that it leaves it",
    source: `__global__ void k(float* p, int i) { again: p[0] = i; if (i) goto again; for (;;) { if (i) goto out; } p[1] = 2; out: p[2] = 3; if (i) goto done; p[3] = 4; done: return; }`,
    lines: `
bool $0
while true
  *f32[p] = f32(i)
  if bool(i)
    continue
  break
while true
  $0 = false
  {
    while true
      if bool(i)
        $0 = true
        break
    if $0
      break
  }
  *f32[p+4] = 2:f32
  break
*f32[p+8] = 3:f32
if bool(i)
  return
*f32[p+12] = 4:f32
return`,
  },
  {
    title:
      "a jump out of a nest of loops to what stands behind it, and one past a declaration, which makes the rest unknown",
    source: `__global__ void k(float* p, int i) { for (;;) for (;;) { if (i) goto out; } out: p[2] = 3; if (i) goto done; int n; p[3] = 4; done: p[4] = 5; }`,
    lines: `
// gap: goto is not followed
bool $0
$0 = false
while true
  while true
    if bool(i)
      $0 = true
      break
  if $0
    break
*f32[p+8] = 3:f32
if bool(i)
  if unknown(goto is not followed)
    return
i32 n
*f32[p+12] = 4:f32
*f32[p+16] = 5:f32`,
  },
  {
    title: "members of an anonymous union in a function are named as variables are",
    source: `__global__ void k(float* p, int i) { union { int whole; struct { short low, high; }; }; whole = i; p[low] = high; }`,
    lines: `
(unnamed) union
union.+0:i32 = i
*f32[(p + i32(union.+0:i16)*4)] = f32(union.+2:i16)`,
  },
  {
    title: "cooperative groups come from the prelude",
    source: `#include <cooperative_groups.h>
      namespace cg = cooperative_groups;
      __global__ void k(float* p) { cg::thread_block b = cg::this_thread_block(); auto w = cg::tiled_partition<32>(b); p[w.thread_rank()] = w.meta_group_rank(); b.sync(); }`,
    lines: `
cooperative_groups::thread_block b = cooperative_groups::this_thread_block()()
cooperative_groups::thread_block_tile<32,void> w = cooperative_groups::tiled_partition<32,cooperative_groups::thread_block>(cooperative_groups::thread_block const&)(&b)
*f32[(p + cooperative_groups::thread_block_tile<32,void>::thread_rank()()*4)] = f32(cooperative_groups::thread_block_tile<32,void>::meta_group_rank()())
cooperative_groups::thread_block::sync()()`,
  },
  {
    title: "sums of parenthesised names are no casts, whatever binds behind them",
    source: `#define IDX(i, j) ((i) + (j) * 64)
      #define INSIDE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
      __global__ void k(float* p, int i, int j) { p[IDX(i, j)] = (i) - (j) * (2) + (i); p[(j) * (i) + (j)] = (float)(i) + (i) * -(j); p[0] = INSIDE(i, j, 9); p[1] = (i) & (31) | (j); p[2] = -(i) + (j) * 2 + !(i); }`,
    lines: `
*f32[(p + (i + (j * 64))*4)] = f32(((i - (j * 2)) + i))
*f32[(p + ((j * i) + j)*4)] = (f32(i) + f32((i * -j)))
*f32[p] = f32(((i >= j) and (i <= 9)))
*f32[p+4] = f32(((i & 31) | j))
*f32[p+8] = f32(((-i + (j * 2)) + i32(!bool(i))))`,
  },
  {
    title: "types of several words in braces, the largest of a list, and where members lie",
    source: `enum E : unsigned { A = 3 };
      struct Base { int id; }; struct Body : Base { char kind; float x, y; };
      __global__ void k(int* p, int n) { p[1] = offsetof(Body, y) + offsetof(struct Body, id); auto a = unsigned{threadIdx.x} * 2; p[a] = short{1} + std::max({n, 7, p[0]}); p[unsigned(A)] = unsigned{}; }`,
    lines: `
*i32[p+4] = 12
u32 a = (threadIdx.x * 2:u32)
*i32[(p + a*4)] = (1 + max:i32(max:i32(n, 7), *i32[p]))
*i32[p+12] = 0`,
  },
  {
    title: "comparisons in conditions that read like template arguments",
    source: `struct Box { int x; };
      __global__ void k(int* p, int x, int n, Box o) { p[0] = (x < 0 ? 0 : x >= n ? n - 1 : x); p[1] = 2 * (o.x < 1 && n < 3 ? n : o.x + 1 >= n || x > 2 ? p[0] : o.x); p[2] = (x < 0 ? n : x >= n); }`,
    lines: `
*i32[p] = ((x < 0) ? 0 : ((x >= n) ? (n - 1) : x))
*i32[p+4] = (2 * (((o.+0:i32 < 1) and (n < 3)) ? n : ((((o.+0:i32 + 1) >= n) or (x > 2)) ? *i32[p] : o.+0:i32)))
*i32[p+8] = ((x < 0) ? n : i32((x >= n)))`,
  },
  {
    title: "comparisons that read like template arguments",
    source: `struct Box { int x; };
      template <int a> __device__ int f(int b) { return a + b; }
      __global__ void k(bool* p, int x, int y, int w, int h, Box o) { p[0] = (x < w && y >= h); p[1] = x >= 0 && x < w && y > (h); p[2] = (o.x < w + 1 && y >= 0 && y < h); p[3] = x < w & y > (h); p[4] = f<3>(4) > (x < w); p[5] = x < w && y > -1; p[6] = x < w && y > -h + 2 || x < h && y > *p; p[7] = f<3>(4) > -1; }`,
    of: "k",
    lines: `
*bool[p] = ((x < w) and (y >= h))
*bool[p+1] = (((x >= 0) and (x < w)) and (y > h))
*bool[p+2] = (((o.+0:i32 < (w + 1)) and (y >= 0)) and (y < h))
*bool[p+3] = bool((i32((x < w)) & i32((y > h))))
*bool[p+4] = (f<3>(int)(4) > i32((x < w)))
*bool[p+5] = ((x < w) and (y > -1))
*bool[p+6] = (((x < w) and (y > (-h + 2))) or ((x < h) and (y > i32(*bool[p]))))
*bool[p+7] = (f<3>(int)(4) > -1)`,
  },
  {
    title:
      "pointers and references to arrays are declared where the grammar sees a call, and know their own name",
    source: `template <typename T> __global__ void t(T* p) { __shared__ T buf[64];
      T (*rows)[8] = reinterpret_cast<decltype(rows)>(buf); T (&flat)[64] = buf; float (*cube)[2][4] = (float (*)[2][4])buf; T (*late)[16]; late = (T (*)[16])buf;
      rows[1][2] = flat[3] + cube[1][1][1] + late[2][0]; }
      void host(float* p) { t<<<1, 32>>>(p); }`,
    of: "t",
    lines: `
shared f32[64] buf
f32[8]* rows = &buf
f32[64]* flat = &buf
f32[2][4]* cube = &buf
f32[16]* late
late = &buf
*f32[rows+40] = ((*f32[f32*(flat)+12] + *f32[cube+52]) + *f32[late+128])`,
  },
  {
    title: "a choice between barriers is a barrier",
    source: `__global__ void k(float* p, int n) { (64 > 32) ? __syncthreads() : __syncwarp(); n > 32 ? __syncthreads() : __syncwarp(); p[0] = 1; }`,
    lines: `
barrier block
if (n > 32)
  barrier block
else
  barrier warp
*f32[p] = 1:f32`,
  },
  {
    title: "a bound that is an expression of template parameters deduces nothing, and hinders nothing",
    source: `template <int N, int S, typename T> __device__ T first(T (&a)[N * S]) { return a[1]; }
      __global__ void k(float* p) { __shared__ float s[2][12]; p[0] = first<3, 4>(s[1]); }`,
    lines: `
shared f32[2][12] s
*f32[p] = first<3,4,float>(float (&)[12])(&*f32[12][&s+48])`,
  },
  {
    title: "a parameter that names no template parameter takes what converts to it, by reference, too",
    source: `struct Width { int value; __device__ Width(int v) : value(v) {} };
      template <typename T> __device__ T scaled(const Width& width, T factor) { return width.value * factor; }
      template <int N> __device__ int length(int (&a)[N]) { return N; }
      __global__ void k(int* p) { __shared__ int s[12]; p[0] = scaled(3, p[1]); p[1] = length(s); }`,
    lines: `
Width $0
Width $1
shared i32[12] s
*i32[p] = scaled<int>(Width const&,int)([$1 = [Width::Width(int)(&$0, 3), $0], &$1], *i32[p+4])
*i32[p+4] = length<12>(int (&)[12])(&s)`,
  },
  {
    title: "functions and operators of halves and of pairs of them are intrinsics",
    source: `__global__ void k(__half2* p, __half h, bool* q) {
      p[0] = __hadd2(p[1], p[2]); p[3] = p[4] * p[5]; p[6] = -p[7]; p[8] += p[9]; q[0] = p[1] < p[2]; h = __hadd(h, 2.0f);
      p[10] = __floats2half2_rn(1.0f, 2); q[1] = __hisinf(h);
    }`,
    lines: `
*__half2[p] = __hadd2:__half2(*__half2[p+4], *__half2[p+8])
*__half2[p+12] = __hmul2:__half2(*__half2[p+16], *__half2[p+20])
*__half2[p+24] = __hneg2:__half2(*__half2[p+28])
*__half2[p+32] = __hadd2:__half2(*__half2[p+32], *__half2[p+36])
*bool[q] = __hblt2:bool(*__half2[p+4], *__half2[p+8])
h = __hadd:f16(h, 2:f16)
*__half2[p+40] = __floats2half2_rn:__half2(1:f32, 2:f32)
*bool[q+1] = bool(__hisinf:i32(h))`,
  },
  {
    title: "an object of an unknown type goes to unknown code by its address",
    source: `__global__ void k(float* p) { typedef lib::Reduce<float> Reduce; __shared__ typename Reduce::Storage storage; p[0] = Reduce(storage).Sum(p[1]); }`,
    lines: `
// gap: the type lib::Reduce is declared nowhere in sight
shared ? storage
*f32[p] = unknown(the type lib::Reduce is declared nowhere in sight: unknown(the type lib::Reduce is declared nowhere in sight: unknown(the type lib::Reduce is declared nowhere in sight: &storage)), *?[p+4])`,
  },
  {
    title: "C's and CUDA's own functions take values, so that their arguments are loaded",
    source: `__global__ void k(float* p) { printf("%f", p[1]); __nv_later(p[2]); other::later(p[3]); }`,
    lines: `
// gap: the function __nv_later is declared nowhere in sight
// gap: the function other::later is declared nowhere in sight
unknown(printf is not followed: unknown(the text "%f"), *f32[p+4])
unknown(the function __nv_later is declared nowhere in sight: *f32[p+8])
unknown(the function other::later is declared nowhere in sight: *?[p+12])`,
  },
  {
    title: "a value in parentheses before a sign is no cast: a subscript and a call as well as a name",
    source: `#define at(i, j) (s[(i) * 4 + (j)])
      __device__ int f(int i) { return i; }
      __global__ void k(int* p, int* s) { p[0] = at(0, 1) - 5 * at(1, 0); p[1] = (s[2]) -5; p[2] = (f(1)) * (s[3]) + 2 * (s[0]); }`,
    lines: `
*i32[p] = (*i32[s+4] - (5 * *i32[s+16]))
*i32[p+4] = (*i32[s+8] - 5)
*i32[p+8] = ((f(int)(1) * *i32[s+12]) + (2 * *i32[s]))`,
  },
  {
    title: "nor is a product with what stands in parentheses of its own",
    source: `__global__ void k(int* p, int b, int h, int w, int g) { p[0] = (b * (h * w)) * (g * b); p[1] = (b * (h)) - (g); p[2] = 7 + (b * (h * (w))) * (g) + 1; }`,
    lines: `
*i32[p] = ((b * (h * w)) * (g * b))
*i32[p+4] = ((b * h) - g)
*i32[p+8] = ((7 + ((b * (h * w)) * g)) + 1)`,
  },
  {
    title:
      "a sign before a number belongs to it, and an enumerator is found behind a parameter of its enumeration's name",
    source: `enum { up = +1, down = -1 }; enum dir { x, y };
      __global__ void k(int* dir) { dir[+3] = up; dir[down + +2] = dir::y; }`,
    lines: `
*i32[dir+12] = 1
*i32[dir+4] = 1`,
  },
  {
    title: "a constant of the file whose value the grammar takes for a parameter",
    source:
      "constexpr unsigned a(16); constexpr unsigned b(a* a); __global__ void k(unsigned* p) { p[0] = b; }",
    lines: "*u32[p] = 256:u32",
  },
  {
    title: "a specialisation that leaves out its arguments is known by its types",
    source: `template <typename T> __device__ T to(float a);
      template <> __device__ int to(float a) { return (int)a; }
      template <> __device__ double to(float a) { return a; }
      template <typename T> __device__ int from(const T a);
      template <> __device__ int from(const float a) { return 7; }
      __global__ void k(int* p, double* d, float f) { p[0] = to<int>(f); d[0] = to<double>(f); p[1] = from(f); }`,
    lines: `
*i32[p] = to<int>(float)(f)
*f64[d] = to<double>(float)(f)
*i32[p+4] = from<float>(float)(f)`,
  },
  {
    title: "statements in parentheses have the value of the last",
    source: `#define least(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
      __global__ void k(int* p, int n) { p[0] = least(n, 4); p[1] = short(n); }`,
    lines: `
*i32[p] = [_x = n, _y = 4, ((_x < _y) ? _x : _y)]
*i32[p+4] = i32(i16(n))`,
  },
  {
    title:
      "a friend of a class template is found by its arguments, with specifiers before `friend`, and sees the template's",
    source: `template <class T> struct V { T x; __host__ __device__ friend inline T get(const V &v) { return T(2) * v.x; } };
      __global__ void k(V<float>* p, V<int>* q) { p->x = get(p[1]) + get(q[1]); }`,
    lines: `
*f32[p] = (get(V<float> const&)(&*V<float>[p+4]) + f32(get(V<int> const&)(&*V<int>[q+4])))`,
  },
  {
    title: "barriers between commas: at the start of a loop and in its step",
    source: `__global__ void k(float* p, int n) {
      for (n /= 2, __syncthreads(); n > 0; n /= 2, __syncthreads()) if (threadIdx.x < n) p[threadIdx.x] += p[n]; }`,
    lines: `
{
  n = (n / 2)
  barrier block
  while (n > 0)
    if (threadIdx.x < u32(n))
      *f32[(p + threadIdx.x*4)] = (*f32[(p + threadIdx.x*4)] + *f32[(p + n*4)])
    n = (n / 2)
    barrier block
}`,
  },
  {
    title: "a specialisation for volatile types is none for others",
    source: `template <typename T> struct size { enum { of = sizeof(T) }; };
      template <typename T> struct size<volatile T> : size<T> { enum { is_volatile = 1 }; };
      __global__ void k(int* p) { p[0] = size<short>::of; p[1] = size<volatile double>::of + size<volatile double>::is_volatile; }`,
    lines: `
*i32[p] = 2
*i32[p+4] = 9`,
  },
  {
    title: "an object that converts to a constant is a template argument, and an index",
    source: `#include <type_traits>
      struct Row { int i; __host__ __device__ __forceinline__ operator int() const { return i; } };
      template <int N> __device__ int times(int x) { return N * x; }
      __global__ void k(int* p, Row r) { auto three = std::integral_constant<int, 3>{}; p[r] = times<three>(2); }`,
    lines: `
std::integral_constant<int,3> $0
std::integral_constant<int,3> three = std::integral_constant<int,3>{}
*i32[(p + Row::operator cast()(&r)*4)] = times<3>(int)(2)`,
  },
  {
    title: "decltype(auto) stays the reference that is returned, as auto& does, and the copy of a name",
    source: `struct At { float* p; __device__ decltype(auto) operator[](int i) const { return p[i * 3]; } };
      struct Of { At at; __device__ decltype(auto) operator[](int i) const { return at[i]; } };
      __device__ decltype(auto) twice(float x) { float y = 2 * x; return y; }
      struct Row { float* p; __device__ auto& operator()(int i) { return p[i]; } };
      __global__ void k(Of o, Row r, int i) { o[i] = 1; o[i + 1] = twice(o[i]); r(i) = 2; }`,
    lines: `
*f32[Of::operator[](int)(&o, i)] = 1:f32
*f32[Of::operator[](int)(&o, (i + 1))] = twice(float)(*f32[Of::operator[](int)(&o, i)])
*f32[Row::operator()(int)(&r, i)] = 2:f32`,
  },
  {
    title: "a reference to a base of a temporary can go back to the whole",
    source: `template <typename E> struct Expr { __device__ const E& self() const { return static_cast<const E&>(*this); } };
      struct Pad { int of; };
      struct One : Pad, Expr<One> { float v; __device__ One(float x) : v(x) {} };
      template <typename E> __device__ float value(const Expr<E>& e) { return e.self().v; }
      __global__ void k(float* p) { p[0] = value(One(3)); }`,
    lines: `
One $0
One $1
*f32[p] = value<One>(Expr<One> const&)([$1 = [One::One(float)(&$0, 3:f32), $0], &$1])`,
  },
  {
    title: "a member that is defined outside of its class template is another function in each instance",
    source: `template <int N> struct Row { __device__ int at(int i) const; };
      template <int M> __device__ int Row<M>::at(int i) const { return M * i; }
      __global__ void k(int* p, Row<2> a, Row<5> b) { p[0] = a.at(1); p[1] = b.at(1); }`,
    lines: `
*i32[p] = Row<2>::at(int)(&a, 1)
*i32[p+4] = Row<5>::at(int)(&b, 1)`,
  },
  {
    title:
      "inside a class template its bare name as an argument is the class, for a template parameter the template",
    source: `template <typename T> __device__ int bytes() { return sizeof(T); }
      template <template <typename> class Of> __device__ int eight() { return sizeof(Of<double>); }
      template <typename T> struct Box { T v; __device__ int own() const { return bytes<Box>() + eight<Box>(); } };
      __global__ void k(int* p, Box<float> b) { p[0] = b.own(); }`,
    of: "Box<float>::own",
    lines: `
return (bytes<Box<float>>()() + eight<Box>()())`,
  },
  {
    title: "decltype names a scope",
    source: `struct Load { typedef int Piece[2]; static const int width = 4; };
      __global__ void k(int* p, Load from) { decltype(from)::Piece a; a[1] = 3; p[0] = a[1] + decltype(from)::width; }`,
    lines: `
i32[2] a
a.+4:i32 = 3
*i32[p] = (a.+4:i32 + 4)`,
  },
  {
    title: "what is less than a shifted number is no template that is greater than the count",
    source: `__global__ void k(int* y, int n, int w) {
      y[0] = w < n >> 5; y[1] = w < blockDim.x >> 5 ? 3 : 4; y[2] = w < y[n] >> 1; y[3] = n & w < n + 1 >> (1);
      y[4] = w < n >> 1 || n < w >> 2; for (int i = 0; i < n >> 1; i++) y[5] = w < 64 >> 1 >> n; }`,
    lines: `
*i32[y] = i32((w < (n >> 5)))
*i32[y+4] = ((u32(w) < (blockDim.x >> 5)) ? 3 : 4)
*i32[y+8] = i32((w < (*i32[(y + n*4)] >> 1)))
*i32[y+12] = (n & i32((w < ((n + 1) >> 1))))
*i32[y+16] = i32(((w < (n >> 1)) or (n < (w >> 2))))
{
  i32 i = 0
  while (i < (n >> 1)) step i = (i + 1)
    *i32[y+20] = i32((w < (32 >> n)))
}`,
  },
  {
    title: "functions and kernels that are defined by their qualified names stand in their namespaces",
    source: `namespace sort { constexpr int step = 4; __device__ int spread(int i); __global__ void k(float* p);
        namespace inner { __device__ int twice(int i); } }
      __device__ int sort::spread(int i) { return inner::twice(i) * step; }
      __device__ int sort::inner::twice(int i) { return i * 2; }
      __global__ void sort::k(float* p) { p[spread(threadIdx.x) + step] = 1; }`,
    of: "sort::k",
    lines: `
*f32[(p + (sort::spread(int)(i32(threadIdx.x)) + 4)*4)] = 1:f32`,
  },
  {
    title: "pointers to pointers gain a const below where all above it are const",
    source: `__device__ void f(const float* const* p) {}
      __device__ void f(const void* p) { int other; }
      __device__ void g(const float** p) {}
      __device__ void g(const void* p) { int other; }
      __global__ void k(float** p) { f(p); g(p); }`,
    lines: `
f(float const* const*)(p)
g(void const*)(void*(p))`,
  },
  {
    title: "a call that makes an object of a class template is no parameter of a function type",
    of: "main",
    source: `template <typename T> struct B { int n; B(int a, int b) : n(a * b) {} };
      struct R { int n; R(int a, const B<float>& b) : n(a + b.n) {} };
      int main() { int w = 3, h = 4; R r(w, B<float>(w, h)); return r.n; }`,
    lines: `
B<float> $0
B<float> $1
i32 w = 3
i32 h = 4
R r
R::R(int,B<float> const&)(&r, w, [$1 = [B<float>::B(int,int)(&$0, w, h), $0], &$1])
return r.+0:i32`,
  },
  {
    title: "what stands behind `(T)(x)` comes before the cast where T is no word of the language",
    source: `typedef float real; struct P { int a, b; }; __device__ int f(int i) { return i; }
      __global__ void k(const void* x, const P* q, real* y, int i) {
        real a = (real)((const int*)x)[i]; real b = (real)(q)->b; real c = (real)(q + i)->a; y[i] = (real)(long)(i); y[0] = (real)(f)(i); }`,
    lines: `
f32 a = f32(*i32[(i32*(x) + i*4)])
f32 b = f32(*i32[q+4])
f32 c = f32(*i32[(q + i*8)])
*f32[(y + i*4)] = f32(i64(i))
*f32[y] = f32(f(int)(i))`,
  },
];
