// What nvcc 13 builds in under the names __nv_atomic_…, as source: each is the atomic, load or store of one word by a generic address that it
// stands for (recorded: fixtures/programs/nv_atomics.cu). Memory orders and scopes add fences, which access nothing.

const updates = ["add", "sub", "and", "or", "xor", "min", "max"] as const;

const atomicOf = (name: (typeof updates)[number]): string => {
  const value = name === "sub" ? "(T)-value" : "value";
  const call = name === "sub" ? "Add" : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const generic = call === "Add" ? ", (T)0" : "";
  return `atomic${call}(word, ${value}${generic})`;
};

const fetches = updates.map(
  (name) => `
template <typename T, typename V, typename... Order> __device__ T __nv_atomic_fetch_${name}(T* word, V value, Order... order) {
  return ${atomicOf(name)};
}
template <typename T, typename V, typename... Order> __device__ void __nv_atomic_${name}(T* word, V value, Order... order) {
  ${atomicOf(name)};
}`,
);

export const nvAtomicText = `
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
template <typename T, typename... Order> __device__ T __nv_atomic_load_n(T* word, Order... order) { return *(volatile T*)word; }
template <typename T, typename... Order> __device__ void __nv_atomic_load(T* word, T* to, Order... order) { *to = *(volatile T*)word; }
template <typename T, typename V, typename... Order> __device__ void __nv_atomic_store_n(T* word, V value, Order... order) {
  *(volatile T*)word = value;
}
template <typename T, typename... Order> __device__ void __nv_atomic_store(T* word, T* from, Order... order) {
  *(volatile T*)word = *from;
}
template <typename T, typename V, typename... Order> __device__ T __nv_atomic_exchange_n(T* word, V value, Order... order) {
  return atomicExch(word, value);
}
template <typename T, typename V, typename... Order>
__device__ bool __nv_atomic_compare_exchange_n(T* word, T* expected, V desired, Order... order) {
  T before = atomicCAS(word, *expected, desired);
  bool isSame = before == *expected;
  if (!isSame) *expected = before;
  return isSame;
}
${fetches.join("")}
`;
