// Conversions to types of one word in lists and declarators; what only the sole kernel of its name can mean.
//> transpose grid (4,2,1) block (32,8,1) x1 args null, 64 path 24 34
//> transpose grid (5,1,1) block (16,4,1) x1 args null, 5 path 26 34
//> transpose grid (3,1,1) block (8,2,1) x1 args null, -7 path 29 34
//> shifted<32> grid (1,1,1) block (32,1,1) x1 args {0:null, 8:8}, 3 path 19 35
#include <functional>
#include <utility>
template <class T> struct View { T* data; int pitch; };
struct Field {
    float* data; int pitch;
    View<float> view() { return {data, pitch}; }
    View<const float> view() const { return {data, pitch}; }
};
__global__ void transpose(float* p, int n) {}
template <int N> __global__ void shifted(View<const float> v, int n) {}

constexpr int kTile = 32;
void shift(Field& field, int n) {
    shifted<32><<<1, kTile>>>(std::as_const(field).view(), n);
}
void tiles(int m, int n) {
    dim3 threads{unsigned(kTile), 8};
    dim3 blocks(unsigned(m) / 32, unsigned{2});
    transpose<<<blocks, threads>>>(nullptr, int(unsigned(n) + unsigned(long(m) * 0)));
    const dim3 half{unsigned(kTile) / 2, unsigned(n > 5 ? short(4) : short(2))}, grid{long(5)};
    transpose<<<grid, half>>>(nullptr, 5);
    unsigned (*twice)(int) = [](int i) { return unsigned(i) * 2; };
    std::function<unsigned(int)> same = [](int i) -> unsigned { return unsigned(i); };
    transpose<<<same(3), dim3{twice(4), 2}>>>(nullptr, -int(signed(7)));
}

int main() {
    Field field{nullptr, 8};
    tiles(128, 64);
    shift(field, 3);
}
