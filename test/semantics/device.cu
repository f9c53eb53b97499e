// What the GPU gives for the corners of device arithmetic: prints JSON lines [operation, operand type, result type, operands…,
// result], every value as the hexadecimal bits of its type. Recorded in device.jsonl (nvcc -arch=sm_90 device.cu && ./a.out).
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int maxCount = 4096;

template <typename From, typename To>
__global__ void convertAll(const From *in, To *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<To>(in[i]);
}

enum Operation { Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr };

template <typename T>
__device__ T apply(int op, T a, T b) {
    switch (op) {
        case Add: return a + b;
        case Sub: return a - b;
        case Mul: return a * b;
        case Div: return a / b;
        case Rem: return a % b;
        case And: return a & b;
        case Or: return a | b;
        case Xor: return a ^ b;
        case Shl: return a << (int)b;
        default: return a >> (int)b;
    }
}

template <typename T>
__global__ void binaryAll(int op, const T *a, const T *b, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = apply<T>(op, a[i], b[i]);
}

template <typename T>
__device__ T applyFloat(int op, T a, T b) {
    switch (op) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        default: return a / b;
    }
}

template <typename T>
__global__ void floatAll(int op, const T *a, const T *b, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = applyFloat<T>(op, a[i], b[i]);
}

__global__ void intrinsicAll(int which, const uint64_t *a, const uint64_t *b, uint64_t *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t x = a[i], y = b[i];
    uint32_t u = (uint32_t)x, v = (uint32_t)y, w = (uint32_t)(x >> 32);
    switch (which) {
        case 0: out[i] = __popc(u); break;
        case 1: out[i] = __popcll(x); break;
        case 2: out[i] = __clz(u); break;
        case 3: out[i] = __clzll(x); break;
        case 4: out[i] = __ffs(u); break;
        case 5: out[i] = __ffsll(x); break;
        case 6: out[i] = __brev(u); break;
        case 7: out[i] = __brevll(x); break;
        case 8: out[i] = __umulhi(u, v); break;
        case 9: out[i] = (uint32_t)__mulhi((int)u, (int)v); break;
        case 10: out[i] = __umul64hi(x, y); break;
        case 11: out[i] = (uint64_t)__mul64hi((long long)x, (long long)y); break;
        case 12: out[i] = (uint32_t)__mul24((int)u, (int)v); break;
        case 13: out[i] = __umul24(u, v); break;
        case 14: out[i] = __funnelshift_l(u, v, w); break;
        case 15: out[i] = __funnelshift_r(u, v, w); break;
        case 16: out[i] = __byte_perm(u, v, w); break;
        case 17: out[i] = __sad((int)u, (int)v, w); break;
        case 18: out[i] = __usad(u, v, w); break;
    }
}

static uint64_t state = 88172645463325252ull;
static uint64_t next() {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return state;
}

template <typename T> static void put(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    printf(",\"%llx\"", (unsigned long long)bits);
}

template <typename T> struct Device {
    T *p;
    Device() { cudaMallocManaged(&p, maxCount * sizeof(T)); memset(p, 0, maxCount * sizeof(T)); }
    ~Device() { cudaFree(p); }
};

static int doubles(double *d) {
    const double corners[] = {0, 0.5, 0.99, 1, 1.5, 2.5, 126.9, 127, 127.5, 128, 129, 200, 254.5, 255, 255.5, 256, 300, 32767, 32767.5, 32768,
        40000, 65504, 65519, 65520, 65535, 65535.5, 65536, 70000, 2147483520.0, 2147483647.0, 2147483647.5, 2147483648.0, 3e9, 4294967040.0, 4294967295.0,
        4294967295.5, 4294967296.0, 1e10, 9007199254740993.0, 9.2233720368547748e18, 9.2233720368547758e18, 1e19, 1.8446744073709550e19,
        1.8446744073709552e19, 1e20, 1e30, 3.4e38, 3.5e38, 1e300, 1.0 / 0.0, 5.9e-8, 2.9e-8, 3e-8, 6.1e-5, 1e-45, 1e-310, 5e-324};
    int n = 0;
    for (double c : corners) { d[n++] = c; d[n++] = -c; }
    d[n++] = 0.0 / 0.0;
    for (int i = 0; i < 60; i++) d[n++] = ((double)(int64_t)next()) / (double)(1ull << (next() % 64));
    return n;
}

template <typename From, typename To>
static void conversions(const char *from, const char *to, const From *in, int n) {
    Device<To> out;
    convertAll<From, To><<<(n + 127) / 128, 128>>>(in, out.p, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) { printf("[\"convert\",\"%s\",\"%s\"", from, to); put(in[i]); put(out.p[i]); puts("]"); }
}

template <typename From>
static void toIntegers(const char *from, const From *in, int n) {
    conversions<From, int8_t>(from, "int8", in, n); conversions<From, uint8_t>(from, "uint8", in, n);
    conversions<From, int16_t>(from, "int16", in, n); conversions<From, uint16_t>(from, "uint16", in, n);
    conversions<From, int32_t>(from, "int32", in, n); conversions<From, uint32_t>(from, "uint32", in, n);
    conversions<From, int64_t>(from, "int64", in, n); conversions<From, uint64_t>(from, "uint64", in, n);
}

template <typename T>
static void integers(const char *name) {
    static const char *names[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    Device<T> a, b, out;
    const int n = 80;
    for (int op = 0; op < 10; op++) {
        for (int i = 0; i < n; i++) {
            a.p[i] = (T)(next() >> (next() % 64)); b.p[i] = (T)(next() >> (next() % 64));
            if (op >= Shl) b.p[i] = (T)(i < 70 ? i - 1 : i * 20);
            if ((op == Div || op == Rem) && b.p[i] == 0) b.p[i] = 3;
            if (i == 0) a.p[i] = (T)((uint64_t)1 << (sizeof(T) * 8 - 1));
            if (i == 0 && op < Shl) b.p[i] = (T)-1;
        }
        binaryAll<T><<<1, 128>>>(op, a.p, b.p, out.p, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) { printf("[\"%s\",\"%s\",\"%s\"", names[op], name, name); put(a.p[i]); put(b.p[i]); put(out.p[i]); puts("]"); }
    }
}

template <typename T>
static void floats(const char *name) {
    static const char *names[] = {"+", "-", "*", "/"};
    Device<T> a, b, out;
    const int n = 80;
    for (int op = 0; op < 4; op++) {
        for (int i = 0; i < n; i++) {
            a.p[i] = (T)(float)((double)(int64_t)next() / (double)(1ull << (40 + next() % 24)));
            b.p[i] = (T)(float)((double)(int64_t)next() / (double)(1ull << (40 + next() % 24)));
        }
        floatAll<T><<<1, 128>>>(op, a.p, b.p, out.p, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) { printf("[\"%s\",\"%s\",\"%s\"", names[op], name, name); put(a.p[i]); put(b.p[i]); put(out.p[i]); puts("]"); }
    }
}

static void intrinsics() {
    static const char *names[] = {"__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll", "__umulhi", "__mulhi",
        "__umul64hi", "__mul64hi", "__mul24", "__umul24", "__funnelshift_l", "__funnelshift_r", "__byte_perm", "__sad", "__usad"};
    Device<uint64_t> a, b, out;
    const int n = 40;
    for (int which = 0; which < 19; which++) {
        for (int i = 0; i < n; i++) { a.p[i] = i ? next() >> (next() % 64) : 0; b.p[i] = next() >> (next() % 64); }
        intrinsicAll<<<1, 64>>>(which, a.p, b.p, out.p, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) { printf("[\"%s\",\"uint64\",\"uint64\"", names[which]); put(a.p[i]); put(b.p[i]); put(out.p[i]); puts("]"); }
    }
}

int main() {
    Device<double> d; Device<float> f; Device<__half> h; Device<__nv_bfloat16> g; Device<int64_t> l; Device<uint64_t> u; Device<int32_t> w;
    int n = doubles(d.p);
    for (int i = 0; i < n; i++) { f.p[i] = (float)d.p[i]; h.p[i] = __double2half(d.p[i]); g.p[i] = __double2bfloat16(d.p[i]); }
    toIntegers("double", d.p, n); toIntegers("single", f.p, n); toIntegers("half", h.p, n); toIntegers("bfloat16", g.p, n);
    conversions<double, float>("double", "single", d.p, n); conversions<double, __half>("double", "half", d.p, n);
    conversions<double, __nv_bfloat16>("double", "bfloat16", d.p, n); conversions<float, __half>("single", "half", f.p, n);
    conversions<float, __nv_bfloat16>("single", "bfloat16", f.p, n); conversions<__half, float>("half", "single", h.p, n);
    const int m = 60;
    for (int i = 0; i < m; i++) { u.p[i] = next() >> (next() % 64); if (i < 4) u.p[i] = (1ull << 63) + (1ull << 39) + (uint64_t)(i - 1); l.p[i] = (int64_t)(i % 2 ? u.p[i] : -u.p[i]); w.p[i] = (int32_t)u.p[i]; }
    conversions<int64_t, float>("int64", "single", l.p, m); conversions<uint64_t, float>("uint64", "single", u.p, m);
    conversions<int64_t, double>("int64", "double", l.p, m); conversions<uint64_t, double>("uint64", "double", u.p, m);
    conversions<int64_t, __half>("int64", "half", l.p, m); conversions<int32_t, float>("int32", "single", w.p, m);
    conversions<int32_t, __half>("int32", "half", w.p, m); conversions<int32_t, __nv_bfloat16>("int32", "bfloat16", w.p, m);
    integers<int32_t>("int32"); integers<uint32_t>("uint32"); integers<int64_t>("int64"); integers<uint64_t>("uint64");
    floats<float>("single"); floats<double>("double"); floats<__half>("half"); floats<__nv_bfloat16>("bfloat16");
    intrinsics();
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
