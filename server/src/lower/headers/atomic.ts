// What <cuda/atomic> would declare, as source: cuda::atomic and cuda::atomic_ref are the atomics, loads and stores of one word that they
// stand for (recorded: fixtures/programs/atomic_objects.cu). Memory orders and scopes add fences, which access nothing.

/** The argument of an addition that says: by a generic address (ir/intrinsic.ts). */
const generic = "(T)0";

/** The members of both classes; `word` is the address of what they guard. Variadic, since orders and scopes change no access. */
function members(word: string): string {
  const order = "template <typename... Order> __device__";
  const fetch = (name: string, value: string) =>
    `${order} T ${name}(T value, Order... order) { return ${value}; }`;
  return `
  ${order} T load(Order... order) const { return *(volatile T*)${word}; }
  ${order} void store(T value, Order... order) { *(volatile T*)${word} = value; }
  ${fetch("exchange", `atomicExch(${word}, value)`)}
  ${fetch("fetch_add", `atomicAdd(${word}, value, ${generic})`)}
  ${fetch("fetch_sub", `atomicAdd(${word}, (T)-value, ${generic})`)}
  ${fetch("fetch_and", `atomicAnd(${word}, value)`)}
  ${fetch("fetch_or", `atomicOr(${word}, value)`)}
  ${fetch("fetch_xor", `atomicXor(${word}, value)`)}
  ${fetch("fetch_min", `atomicMin(${word}, value)`)}
  ${fetch("fetch_max", `atomicMax(${word}, value)`)}
  ${order} bool compare_exchange_strong(T& expected, T desired, Order... order) {
    T before = atomicCAS(${word}, expected, desired);
    bool isSame = before == expected;
    if (!isSame) expected = before;
    return isSame;
  }
  ${order} bool compare_exchange_weak(T& expected, T desired, Order... order) {
    return compare_exchange_strong(expected, desired);
  }
  __device__ T operator++() { return fetch_add((T)1) + (T)1; }
  __device__ T operator++(int) { return fetch_add((T)1); }
  __device__ T operator--() { return fetch_sub((T)1) - (T)1; }
  __device__ T operator--(int) { return fetch_sub((T)1); }
  __device__ T operator+=(T value) { return fetch_add(value) + value; }
  __device__ T operator-=(T value) { return fetch_sub(value) - value; }
  __device__ T operator&=(T value) { return fetch_and(value) & value; }
  __device__ T operator|=(T value) { return fetch_or(value) | value; }
  __device__ T operator^=(T value) { return fetch_xor(value) ^ value; }
  __device__ T operator=(T value) { store(value); return value; }
  __device__ operator T() const { return load(); }`;
}

const classes = `
template <typename T, cuda::thread_scope Scope = cuda::thread_scope_system> struct atomic {
  T value_;
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : value_(value) {}
  ${members("&value_")}
};
template <typename T, cuda::thread_scope Scope = cuda::thread_scope_system> struct atomic_ref {
  T* word_;
  __host__ __device__ explicit atomic_ref(T& value) : word_(&value) {}
  ${members("word_")}
};`;

const orders =
  "enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };";

export const atomicText = `
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
${orders}
${classes}
template <typename... Order> __device__ void atomic_thread_fence(Order... order) { __threadfence(); }
namespace std {
${orders}
${classes}
}
}
`;
