// What CUDA's and C++'s headers would declare, as source that is lowered like the user's own: cooperative groups and small
// library classes. Read it once as a translation unit and give it to lowerProgram.

import { atomicText } from "./atomic.ts";
import { launchText } from "./launch.ts";
import { limitsText } from "./limits.ts";
import { nvAtomicText } from "./nv-atomic.ts";
import { pipelineText } from "./pipeline.ts";
import { volumeText } from "./volume.ts";

/** Name under which the prelude's ranges appear. */
export const preludeFile = "<cuda>";

export const preludeText = `
namespace cuda {
template <unsigned long Alignment> struct aligned_size_t {
  static constexpr unsigned long align = Alignment;
  unsigned long value;
  __host__ __device__ explicit constexpr aligned_size_t(unsigned long bytes) : value(bytes) {}
  __host__ __device__ constexpr operator unsigned long() const { return value; }
};
}
namespace cooperative_groups {
struct thread_block {
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned int thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static __device__ unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
struct grid_group {
  static __device__ void sync() { __warplint_grid_sync(); }
  static __device__ bool is_valid() { return true; }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  static __device__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static __device__ unsigned long long size() { return num_blocks() * thread_block::size(); }
  static __device__ unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};
template <unsigned int Size, typename Parent = void> struct thread_block_tile {
  static __device__ void sync() { __syncwarp(); }
  static __device__ unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  static __device__ constexpr unsigned int size() { return Size; }
  static __device__ constexpr unsigned int num_threads() { return Size; }
  static __device__ unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <typename T> static __device__ T shfl(T value, int lane) { return __shfl_sync(0xffffffffu, value, lane, Size); }
  template <typename T> static __device__ T shfl_up(T value, unsigned int by) { return __shfl_up_sync(0xffffffffu, value, by, Size); }
  template <typename T> static __device__ T shfl_down(T value, unsigned int by) { return __shfl_down_sync(0xffffffffu, value, by, Size); }
  template <typename T> static __device__ T shfl_xor(T value, unsigned int mask) { return __shfl_xor_sync(0xffffffffu, value, mask, Size); }
  static __device__ int any(int predicate) { return __any_sync(0xffffffffu, predicate); }
  static __device__ int all(int predicate) { return __all_sync(0xffffffffu, predicate); }
  static __device__ unsigned int ballot(int predicate) { return __ballot_sync(0xffffffffu, predicate); }
};
struct coalesced_group {
  unsigned int lanes_;
  __device__ void sync() const { __syncwarp(); }
  __device__ unsigned int thread_rank() const {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return __popc(lanes_ & ((1u << lane) - 1u));
  }
  __device__ unsigned int size() const { return __popc(lanes_); }
  __device__ unsigned int num_threads() const { return __popc(lanes_); }
  template <typename T> __device__ T shfl(T value, int lane) const { return __shfl_sync(lanes_, value, lane); }
  template <typename T> __device__ T shfl_up(T value, unsigned int by) const { return __shfl_up_sync(lanes_, value, by); }
  template <typename T> __device__ T shfl_down(T value, unsigned int by) const { return __shfl_down_sync(lanes_, value, by); }
  template <typename T> __device__ T shfl_xor(T value, unsigned int mask) const { return __shfl_xor_sync(lanes_, value, mask); }
  __device__ int any(int predicate) const { return __any_sync(lanes_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(lanes_, predicate); }
  __device__ unsigned int ballot(int predicate) const { return __ballot_sync(lanes_, predicate); }
};
struct thread_group {
  unsigned int rank_;
  unsigned int size_;
  template <typename Group> __device__ thread_group(const Group& group) : rank_(group.thread_rank()), size_(group.size()) {}
  __device__ thread_group(unsigned int rank, unsigned int size) : rank_(rank), size_(size) {}
  __device__ void sync() const { if (size_ <= 32) { __syncwarp(); } else { __syncthreads(); } }
  __device__ unsigned int thread_rank() const { return rank_; }
  __device__ unsigned int size() const { return size_; }
  __device__ unsigned int num_threads() const { return size_; }
  template <typename T> __device__ T shfl(T value, int lane) const { return __shfl_sync(0xffffffffu, value, lane, size_); }
  template <typename T> __device__ T shfl_up(T value, unsigned int by) const { return __shfl_up_sync(0xffffffffu, value, by, size_); }
  template <typename T> __device__ T shfl_down(T value, unsigned int by) const { return __shfl_down_sync(0xffffffffu, value, by, size_); }
  template <typename T> __device__ T shfl_xor(T value, unsigned int mask) const { return __shfl_xor_sync(0xffffffffu, value, mask, size_); }
};
static __device__ thread_block this_thread_block() { return thread_block(); }
template <unsigned int Threads> struct block_tile_memory { unsigned long long words[Threads / 32 + 2]; };
template <unsigned int Threads> __device__ thread_block this_thread_block(block_tile_memory<Threads>& memory) { return thread_block(); }
static __device__ grid_group this_grid() { return grid_group(); }
static __device__ coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
template <typename Group> __device__ coalesced_group binary_partition(const Group& group, bool predicate) {
  unsigned int lanes = __ballot_sync(__activemask(), predicate);
  return coalesced_group{predicate ? lanes : __activemask() & ~lanes};
}
template <typename Group, typename Label> __device__ coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group{__match_any_sync(__activemask(), label)};
}
template <unsigned int Size, typename Group> __device__ thread_block_tile<Size> tiled_partition(const Group& group) {
  return thread_block_tile<Size>();
}
template <typename Group> __device__ thread_group tiled_partition(const Group& group, unsigned int size) {
  return thread_group(group.thread_rank() % size, size);
}
template <typename Group> __device__ void sync(const Group& group) { group.sync(); }
template <typename Group> __device__ void wait(const Group& group) { group.sync(); }
template <unsigned int Stage, typename Group> __device__ void wait_prior(const Group& group) { group.sync(); }
template <unsigned int N> struct segment_ { int words_[N / 4]; };
template <> struct __align__(8) segment_<8> { int words_[2]; };
template <> struct __align__(16) segment_<16> { int words_[4]; };
template <typename T> struct alignment_ { static constexpr unsigned int value = alignof(T) < 16 ? alignof(T) : 16; };
template <> struct alignment_<void> { static constexpr unsigned int value = 1; };
template <typename Size, typename T> struct step_ { static constexpr unsigned int value = alignment_<T>::value; };
template <unsigned long Alignment, typename T> struct step_<cuda::aligned_size_t<Alignment>, T> {
  static constexpr unsigned int value = Alignment < 16 ? Alignment : 16;
};
template <typename Group> struct is_tile_ { static constexpr bool value = false; };
template <unsigned int Size, typename Parent> struct is_tile_<thread_block_tile<Size, Parent>> { static constexpr bool value = Size > 1; };
template <unsigned int Step, typename Group> __device__ void copy_(const Group& group, void* to, const void* from, unsigned long bytes) {
  segment_<Step>* target = (segment_<Step>*)to;
  const segment_<Step>* source = (const segment_<Step>*)from;
  const unsigned int stride = group.size(), rank = group.thread_rank();
  const unsigned long count = bytes / Step;
  if constexpr (is_tile_<Group>::value) {
    const unsigned int rest = (stride - 1) & (unsigned int)count, last = min(rank, rest - 1);
    const unsigned long whole = count & ~(unsigned long)(stride - 1);
    for (unsigned long i = 0; i < whole; i += stride) __pipeline_memcpy_async(target + rank + i, source + rank + i, Step);
    if (rest) __pipeline_memcpy_async(target + whole + last, source + whole + last, Step);
  } else {
    for (unsigned long i = rank; i < count; i += stride) __pipeline_memcpy_async(target + i, source + i, Step);
  }
}
template <typename Group, typename T, typename Size> __device__ void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  if constexpr (step_<Size, T>::value >= 4) copy_<step_<Size, T>::value>(group, to, from, (unsigned long)bytes);
  else ::memcpy_async(group, to, from, bytes);
}
template <typename Group, typename T, typename ToCount, typename FromCount>
__device__ void memcpy_async(const Group& group, T* to, const ToCount& toCount, const T* from, const FromCount& fromCount) {
  const unsigned long toLength = (unsigned long)toCount, fromLength = (unsigned long)fromCount;
  const unsigned long bytes = (toLength < fromLength ? toLength : fromLength) * sizeof(T);
  if constexpr (step_<ToCount, T>::value >= 4) copy_<step_<ToCount, T>::value>(group, to, from, bytes);
  else ::memcpy_async(group, to, from, bytes);
}
template <typename T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { __device__ T operator()(T a, T b) const { return a < b ? a : b; } };
template <typename T> struct greater { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };
template <typename T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <typename T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <typename T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <typename Group, typename T, typename Operator> __device__ T reduce(const Group& group, T value, Operator operation) {
  for (unsigned int by = group.size() / 2; by > 0; by /= 2) value = operation(value, group.shfl_xor(value, by));
  return value;
}
}
namespace cuda {
struct single_thread_ {
  static __device__ constexpr unsigned int size() { return 1; }
  static __device__ constexpr unsigned int thread_rank() { return 0; }
};
template <typename Size, typename T> struct step_ { static constexpr unsigned int value = cooperative_groups::alignment_<T>::value; };
template <unsigned long Alignment, typename T> struct step_<aligned_size_t<Alignment>, T> {
  static constexpr unsigned int both = Alignment < cooperative_groups::alignment_<T>::value ? cooperative_groups::alignment_<T>::value : Alignment;
  static constexpr unsigned int value = both < 16 ? both : 16;
};
template <typename Size, typename T> struct is_copied_ { static constexpr bool value = step_<Size, T>::value >= 4; };
template <typename T, typename Size, typename Completion>
__device__ void memcpy_async(T* to, const T* from, Size bytes, Completion& completion) {
  if constexpr (is_copied_<Size, T>::value && !(step_<Size, T>::value == 16 && __warplint_is_barrier(completion)))
    cooperative_groups::copy_<step_<Size, T>::value>(single_thread_(), to, from, (unsigned long)bytes);
  else ::memcpy_async(to, from, bytes, completion);
}
template <typename Group, typename T, typename Size, typename Completion>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes, Completion& completion) {
  if constexpr (is_copied_<Size, T>::value && !(step_<Size, T>::value == 16 && __warplint_is_barrier(completion)))
    cooperative_groups::copy_<step_<Size, T>::value>(group, to, from, (unsigned long)bytes);
  else ::memcpy_async(group, to, from, bytes, completion);
}
}
struct __warplint_ancestor { const void* mark; long offset; };
struct __warplint_table { long top; const __warplint_ancestor* ancestors; };
static void* __warplint_dynamic_cast(void* object, void* mark) {
  if (object == nullptr) return nullptr;
  const __warplint_table* table = *(const __warplint_table**)object;
  for (const __warplint_ancestor* at = table->ancestors; at->mark != nullptr; ++at)
    if (at->mark == mark) return (char*)object + table->top + at->offset;
  return nullptr;
}
static __host__ __device__ void sincosf(float x, float* sine, float* cosine) { *sine = sinf(x); *cosine = cosf(x); }
static __host__ __device__ void sincos(double x, double* sine, double* cosine) { *sine = sin(x); *cosine = cos(x); }
static __host__ __device__ void sincos(float x, float* sine, float* cosine) { *sine = sinf(x); *cosine = cosf(x); }
static __host__ __device__ void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x); *cosine = cospif(x); }
static __host__ __device__ void sincospi(double x, double* sine, double* cosine) { *sine = sinpi(x); *cosine = cospi(x); }
static __device__ void __sincosf(float x, float* sine, float* cosine) { *sine = __sinf(x); *cosine = __cosf(x); }
static __host__ __device__ float frexpf(float x, int* exponent) { *exponent = ilogbf(x) + 1; return scalbnf(x, -*exponent); }
static __host__ __device__ double frexp(double x, int* exponent) { *exponent = ilogb(x) + 1; return scalbn(x, -*exponent); }
static __host__ __device__ float frexp(float x, int* exponent) { *exponent = ilogbf(x) + 1; return scalbnf(x, -*exponent); }
static __host__ __device__ float modff(float x, float* whole) { *whole = truncf(x); return x - *whole; }
static __host__ __device__ double modf(double x, double* whole) { *whole = trunc(x); return x - *whole; }
static __device__ int __syncthreads_count(int predicate) { __syncthreads(); return __warplint_block_vote(predicate); }
static __device__ int __syncthreads_and(int predicate) { __syncthreads(); return __warplint_block_vote(predicate); }
static __device__ int __syncthreads_or(int predicate) { __syncthreads(); return __warplint_block_vote(predicate); }
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
static __host__ __device__ float2 make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
static __host__ __device__ float2 make_cuFloatComplex(float real, float imaginary) { return make_float2(real, imaginary); }
static __host__ __device__ double2 make_cuDoubleComplex(double real, double imaginary) { return make_double2(real, imaginary); }
static __host__ __device__ float cuCrealf(float2 a) { return a.x; }
static __host__ __device__ float cuCimagf(float2 a) { return a.y; }
static __host__ __device__ double cuCreal(double2 a) { return a.x; }
static __host__ __device__ double cuCimag(double2 a) { return a.y; }
static __host__ __device__ float2 cuConjf(float2 a) { return make_float2(a.x, -a.y); }
static __host__ __device__ double2 cuConj(double2 a) { return make_double2(a.x, -a.y); }
static __host__ __device__ float2 cuCaddf(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
static __host__ __device__ float2 cuCsubf(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
static __host__ __device__ float2 cuCmulf(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
static __host__ __device__ double2 cuCadd(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
static __host__ __device__ double2 cuCsub(double2 a, double2 b) { return make_double2(a.x - b.x, a.y - b.y); }
static __host__ __device__ double2 cuCmul(double2 a, double2 b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
struct cudaDeviceProp {
  char name[256];
  unsigned long totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  unsigned long memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  unsigned long totalConstMem;
  int major, minor;
  unsigned long textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  unsigned long sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, pageableMemoryAccess, concurrentManagedAccess;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  unsigned long sharedMemPerBlockOptin;
  int maxBlocksPerMultiProcessor;
  unsigned long reservedSharedMemPerBlock;
};
namespace nvcuda { namespace wmma {
enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
template <typename T> struct storage_ { using type = T; };
template <> struct storage_<precision::tf32> { using type = float; };
template <typename Use, int M, int N, int K> struct count_ { static constexpr int value = M * N / 32; };
template <int M, int N, int K> struct count_<matrix_a, M, N, K> { static constexpr int value = M * K / 32; };
template <int M, int N, int K> struct count_<matrix_b, M, N, K> { static constexpr int value = K * N / 32; };
template <typename Use, typename T, int Count> struct elements_ { static constexpr int value = Count; };
template <int Count> struct elements_<matrix_a, half, Count> { static constexpr int value = 16; };
template <int Count> struct elements_<matrix_b, half, Count> { static constexpr int value = 16; };
template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment {
  using element_type = typename storage_<T>::type;
  static constexpr int num_elements = elements_<Use, T, count_<Use, M, N, K>::value>::value;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};
} }
namespace std {
template <typename T, unsigned long N> struct array {
  T elements_[N];
  __host__ __device__ T& operator[](unsigned long index) { return elements_[index]; }
  __host__ __device__ const T& operator[](unsigned long index) const { return elements_[index]; }
  __host__ __device__ constexpr unsigned long size() const { return N; }
  __host__ __device__ T* data() { return elements_; }
  __host__ __device__ constexpr bool empty() const { return N == 0; }
  __host__ __device__ const T* data() const { return elements_; }
  __host__ __device__ T* begin() { return elements_; }
  __host__ __device__ const T* begin() const { return elements_; }
  __host__ __device__ T* end() { return elements_ + N; }
  __host__ __device__ const T* end() const { return elements_ + N; }
  __host__ __device__ T& at(unsigned long index) { return elements_[index]; }
  __host__ __device__ const T& at(unsigned long index) const { return elements_[index]; }
  __host__ __device__ T& front() { return elements_[0]; }
  __host__ __device__ const T& front() const { return elements_[0]; }
  __host__ __device__ T& back() { return elements_[N - 1]; }
  __host__ __device__ const T& back() const { return elements_[N - 1]; }
  void fill(const T& value) { __warplint_fill(elements_, N, value); }
};
template <typename T, typename... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <unsigned long I, typename T, unsigned long N> __host__ __device__ constexpr T& get(array<T, N>& elements) { return elements.elements_[I]; }
template <unsigned long I, typename T, unsigned long N> __host__ __device__ constexpr const T& get(const array<T, N>& elements) { return elements.elements_[I]; }
template <typename T> struct initializer_list {
  const T* begin_;
  unsigned long size_;
  const T* begin() const { return begin_; }
  const T* end() const { return begin_ + size_; }
  unsigned long size() const { return size_; }
};
template <typename T, unsigned long N> constexpr unsigned long size(const T (&)[N]) { return N; }
template <typename C> constexpr auto size(const C& container) { return container.size(); }
template <typename T, unsigned long N> T* begin(T (&elements)[N]) { return elements; }
template <typename T, unsigned long N> T* end(T (&elements)[N]) { return elements + N; }
template <typename C> auto begin(C& container) { return container.begin(); }
template <typename C> auto end(C& container) { return container.end(); }
template <typename A, typename B> struct pair {
  A first;
  B second;
};
template <typename A, typename B> pair(A, B) -> pair<A, B>;
template <unsigned long I, typename A, typename B> __host__ __device__ constexpr auto& get(pair<A, B>& both) {
  if constexpr (I == 0) return both.first;
  else return both.second;
}
template <unsigned long I, typename A, typename B> __host__ __device__ constexpr const auto& get(const pair<A, B>& both) {
  if constexpr (I == 0) return both.first;
  else return both.second;
}
template <typename A, typename B> bool operator==(const pair<A, B>& a, const pair<A, B>& b) { return a.first == b.first && a.second == b.second; }
template <typename A, typename B> bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <typename A, typename B> __host__ __device__ pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }
template <typename T, T Value> struct integral_constant {
  using value_type = T;
  static constexpr T value = Value;
  __host__ __device__ constexpr operator T() const { return Value; }
  __host__ __device__ constexpr T operator()() const { return Value; }
};
template <typename T, T... Values> struct integer_sequence { static constexpr unsigned long size() { return sizeof...(Values); } };
template <unsigned long... Values> struct index_sequence : integer_sequence<unsigned long, Values...> {};
template <typename T, T N, T... Values> struct counted_ { using type = typename counted_<T, N - 1, N - 1, Values...>::type; };
template <typename T, T... Values> struct counted_<T, 0, Values...> { using type = integer_sequence<T, Values...>; };
template <unsigned long N, unsigned long... Values> struct indexed_ { using type = typename indexed_<N - 1, N - 1, Values...>::type; };
template <unsigned long... Values> struct indexed_<0, Values...> { using type = index_sequence<Values...>; };
template <typename T, T N> using make_integer_sequence = typename counted_<T, N>::type;
template <unsigned long N> using make_index_sequence = typename indexed_<N>::type;
template <typename... T> using index_sequence_for = typename indexed_<sizeof...(T)>::type;
template <unsigned long Size, unsigned long Alignment = 16> struct aligned_storage { struct __align__(Alignment) type { unsigned char bytes_[Size]; }; };
template <unsigned long Size, unsigned long Alignment = 16> using aligned_storage_t = typename aligned_storage<Size, Alignment>::type;
template <bool Value> using bool_constant = integral_constant<bool, Value>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;
template <typename T = void> struct plus { template <typename A, typename B> __host__ __device__ auto operator()(const A& a, const B& b) const { return a + b; } };
}
namespace cuda { namespace std { using namespace ::std; } }
namespace thrust { using ::std::pair; using ::std::make_pair; using ::std::get; using ::std::plus; }
${atomicText}${pipelineText}${nvAtomicText}${launchText}${limitsText}${volumeText}`;
