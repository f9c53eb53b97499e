// Views whose element type stands in the call while their extents are deduced, and strings that are cut to a size.
//> rows<float const> grid (32,1,1) block (64,1,1) x1 args {0:?p:data@1048576, 8:32, 12:64, 16:64, 20:1} path 25
//> sized grid (64,1,1) block (32,1,1) x1 args 65536 path 30
//> sized grid (10,1,1) block (32,1,1) x1 args 10 path 33
//> sized grid (12,1,1) block (32,1,1) x1 args 120 path 35
#include <string>
template <typename T> struct View { T* data; int shape[2]; int stride[2]; };

template <typename T> __global__ void rows(View<T> view) {}
__global__ void sized(int n) {}

// What is given is a float*: nothing is deduced of a parameter whose arguments are all written in the call.
template <typename T, typename... Extents>
View<T> contiguous(T* data, Extents... extents) {
    View<T> view{data, {extents...}, {}};
    int stride = 1;
    for (int axis = 1; axis >= 0; --axis) { view.stride[axis] = stride; stride *= view.shape[axis]; }
    return view;
}

int main() {
    float* data;
    cudaMalloc(&data, 1 << 20);
    auto view = contiguous<const float>(data, 32, 64);
    rows<const float><<<view.shape[0], view.stride[0]>>>(view);

    std::string text;
    for (int i = 0; text.size() < 65536; i++) text += i % 5 == 0 ? "abcabd" : "ababc";
    text.resize(65536);
    sized<<<text.size() / 1024, 32>>>((int)text.size());
    std::string head = "0123456789abc";
    head.resize(10);
    sized<<<head.size(), 32>>>((int)head.size());
    head.resize(12, 'x');
    sized<<<head.size(), 32>>>(head[11]);
}
