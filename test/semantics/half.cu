// What the GPU gives for the functions of halves and pairs of halves: prints JSON lines { function, format, results }, the results of all operands
// one behind another, as the hexadecimal bits of their type. Recorded in half.jsonl (nvcc -std=c++17 -arch=sm_90 half.cu && ./a.out);
// half.test.ts makes the same operands.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

constexpr int specialCount = 24, triedInThrees = 12, randomCount = 256;
const uint16_t halves[specialCount] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0x7e00,
    0x8400, 0x3c01, 0xfbff, 0xfc00, 0x3555, 0x4248, 0xc500, 0x5640, 0x2e66, 0x1400, 0x6800, 0x3800};
const uint16_t bfloats[specialCount] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f7f, 0x3f80, 0xbf80, 0x7f7f, 0x7f80, 0x7fc0,
    0x8080, 0x3f81, 0xff7f, 0xff80, 0x3eab, 0x4049, 0xc0a0, 0x42c8, 0x3dcd, 0x3400, 0x7000, 0x3f00};

uint32_t state;
uint16_t random16() { return (state = state * 1664525u + 1013904223u) >> 16; }

/** Tuples of `arity` operands, one behind another: of special values, then random ones. */
std::vector<uint16_t> operandsOf(const uint16_t *values, int arity) {
    std::vector<uint16_t> list;
    int count = arity == 3 ? triedInThrees : specialCount, tuples = 1;
    for (int i = 0; i < arity; i++) tuples *= count;
    for (int tuple = 0; tuple < tuples; tuple++)
        for (int i = 0, rest = tuple; i < arity; i++, rest /= count) list.push_back(values[rest % count]);
    state = 1;
    for (int i = 0; i < randomCount * arity; i++) list.push_back(random16());
    return list;
}

template <class F, class T, class Out, int Arity>
__global__ void evaluate(F f, const T *in, Out *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f.run(in + i * Arity);
}

template <class F, class T, int Arity>
void record(F f, const char *name, const char *format, const std::vector<uint16_t> &operands) {
    using Out = decltype(f.run((const T *)nullptr));
    int n = operands.size() * 2 / sizeof(T) / Arity;
    T *in;
    Out *out;
    cudaMallocManaged(&in, operands.size() * 2);
    cudaMallocManaged(&out, n * sizeof(Out));
    memcpy(in, operands.data(), operands.size() * 2);
    evaluate<F, T, Out, Arity><<<(n + 127) / 128, 128>>>(f, in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("%s failed\n", name);
    printf("{\"function\":\"%s\",\"format\":\"%s\",\"results\":\"", name, format);
    for (int i = 0; i < n; i++)
        for (int byte = sizeof(Out) - 1; byte >= 0; byte--) printf("%02x", ((uint8_t *)(out + i))[byte]);
    printf("\"}\n");
    cudaFree(in);
    cudaFree(out);
}

#define FUNCTION(F, ...)                                                                                   \
    struct F##Function {                                                                                          \
        template <class T> __device__ auto run(const T *x) const -> decltype(F(__VA_ARGS__)) { return F(__VA_ARGS__); }                     \
    };
#define ONE(F) FUNCTION(F, x[0])
#define TWO(F) FUNCTION(F, x[0], x[1])
#define THREE(F) FUNCTION(F, x[0], x[1], x[2])
#define NUMBERS(DO)                                                                                               \
    DO(1, __hneg) DO(1, __habs) DO(1, __hisnan) DO(1, __hisinf) DO(1, hsqrt) DO(1, hrsqrt) DO(1, hrcp)            \
    DO(1, hexp) DO(1, hexp2) DO(1, hexp10) DO(1, hlog) DO(1, hlog2) DO(1, hlog10) DO(1, hsin) DO(1, hcos)         \
    DO(1, htanh) DO(1, hfloor) DO(1, hceil) DO(1, htrunc) DO(1, hrint)                                            \
    DO(2, __hadd) DO(2, __hsub) DO(2, __hmul) DO(2, __hdiv) DO(2, __hmax) DO(2, __hmin) DO(2, __hmax_nan)         \
    DO(2, __hmin_nan) DO(2, __hadd_rn) DO(2, __hmul_rn) DO(2, __hadd_sat) DO(2, __hsub_sat) DO(2, __hmul_sat)     \
    DO(2, __heq) DO(2, __hne) DO(2, __hlt) DO(2, __hle) DO(2, __hgt) DO(2, __hge)                                 \
    DO(2, __hequ) DO(2, __hneu) DO(2, __hltu) DO(2, __hleu) DO(2, __hgtu) DO(2, __hgeu)                           \
    DO(3, __hfma) DO(3, __hfma_sat) DO(3, __hfma_relu)
#define PAIRS(DO)                                                                                                 \
    DO(1, __hneg2) DO(1, __habs2) DO(1, __hisnan2) DO(1, h2sqrt) DO(1, h2rcp) DO(1, h2exp) DO(1, h2rint)          \
    DO(1, __lowhigh2highlow) DO(1, __low2float) DO(1, __high2float)                                               \
    DO(2, __hadd2) DO(2, __hsub2) DO(2, __hmul2) DO(2, __h2div) DO(2, __hmax2) DO(2, __hmin2) DO(2, __hmax2_nan)  \
    DO(2, __hadd2_sat) DO(2, __heq2) DO(2, __hneu2) DO(2, __hlt2) DO(2, __hgeu2)                                  \
    DO(2, __hbeq2) DO(2, __hbne2) DO(2, __hbneu2) DO(2, __hblt2) DO(2, __hbge2) DO(2, __hbleu2)                   \
    DO(3, __hfma2) DO(3, __hfma2_sat) DO(3, __hfma2_relu)
#define HALF_PAIRS(DO)                                                                                            \
    DO(1, __low2half) DO(1, __high2half) DO(1, __low2half2) DO(1, __high2half2) DO(1, __half22float2)             \
    DO(2, __lows2half2) DO(2, __highs2half2)
#define BFLOAT_PAIRS(DO)                                                                                          \
    DO(1, __low2bfloat16) DO(1, __high2bfloat16) DO(1, __low2bfloat162) DO(1, __high2bfloat162)                   \
    DO(1, __bfloat1622float2) DO(2, __lows2bfloat162) DO(2, __highs2bfloat162)

#define DEFINE1(F) ONE(F)
#define DEFINE2(F) TWO(F)
#define DEFINE3(F) THREE(F)
#define DEFINE(ARITY, F) DEFINE##ARITY(F)
NUMBERS(DEFINE) PAIRS(DEFINE) HALF_PAIRS(DEFINE) BFLOAT_PAIRS(DEFINE)

int main() {
#define HALF(ARITY, F) record<F##Function, half, ARITY>({}, #F, "half", operandsOf(halves, ARITY));
#define BFLOAT(ARITY, F) record<F##Function, nv_bfloat16, ARITY>({}, #F, "bfloat16", operandsOf(bfloats, ARITY));
    NUMBERS(HALF)
    NUMBERS(BFLOAT)
    // The operands of a pair lie side by side: the same list, read two by two.
#define HALF2(ARITY, F) record<F##Function, half2, ARITY>({}, #F, "half", operandsOf(halves, ARITY == 3 ? 3 : 2));
#define BFLOAT2(ARITY, F)                                                                                         \
    record<F##Function, nv_bfloat162, ARITY>({}, #F, "bfloat16", operandsOf(bfloats, ARITY == 3 ? 3 : 2));
    PAIRS(HALF2)
    HALF_PAIRS(HALF2)
    PAIRS(BFLOAT2)
    BFLOAT_PAIRS(BFLOAT2)
}
