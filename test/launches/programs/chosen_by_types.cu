// Flags that become types: what a lambda captures is named as what it was captured from, and CUDA's functions may be declared by hand.
//> kernel<1,0> grid (3,1,1) block (64,1,1) x1 args ?p:buffers.y@4000, 3 path 18 12 17 11 16 32
//> kernel<0,1> grid (3,1,1) block (96,1,1) x1 args ?p:buffers.y@4000, 3 path 24 11 24 12 23 33
#include <type_traits>
extern "C" {
int cudaMalloc(void** pointer, unsigned long bytes);
int cudaDeviceSynchronize(void);
}
template <bool A, bool B> __global__ void kernel(float* y, int n) {}
template <class F> int chosen(bool flag, F&& f) {
    if (flag) return f(std::true_type{}), 1;
    return f(std::false_type{}), 0;
}
struct Buffers { int blocks = 3; float* y = nullptr; };
int by_type(const Buffers& buffers, bool one, bool other) {
    return chosen(one, [&](auto a) {
        chosen(other, [&](auto b) {
            kernel<decltype(a)::value, decltype(b)::value><<<buffers.blocks, 64>>>(buffers.y, 3);
        });
    });
}
int by_value(const Buffers& buffers, bool one, bool other) {
    return chosen(one, [&](auto a) {
        chosen(other, [=](auto b) { kernel<a, b><<<buffers.blocks, 96>>>(buffers.y, 3); });
    });
}

int main() {
    Buffers buffers;
    // Nothing but the pointer is written.
    cudaMalloc(reinterpret_cast<void**>(&buffers.y), 4000);
    by_type(buffers, true, false);
    by_value(buffers, false, true);
    return cudaDeviceSynchronize();
}
