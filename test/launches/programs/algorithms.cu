// Algorithms of the standard library over arrays, std::array and containers.
//> k grid (24,1,1) block (32,1,1) x1 args null, 4 path 27
//> k grid (9,1,1) block (64,1,1) x1 args null, 2 path 28
//> k grid (3,1,1) block (96,1,1) x1 args null, 1 path 31 31
//> k grid (10,1,1) block (96,1,1) x1 args null, 2 path 31 31
//> k grid (20,1,1) block (128,1,1) x1 args null, 60 path 34
//> k grid (6,1,1) block (160,1,1) x1 args null, 12 path 36
//> k grid (8,1,1) block (192,1,1) x1 args null, 7 path 40
//> k grid (7,1,1) block (224,1,1) x1 args null, 7 path 43
//> k grid (5,1,1) block (256,1,1) x1 args null, 9 path 45
#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
__global__ void k(const float* p, int n) {}

template <size_t Rank>
std::array<int, Rank> stridesOf(const std::array<int, Rank>& shape) {
    std::array<int, Rank> strides;
    strides.fill(1);
    for (int axis = Rank - 2; axis >= 0; --axis) strides[axis] = strides[axis + 1] * shape.at(axis + 1);
    return strides;
}

int main() {
    const std::array<int, 3> shape{2, 3, 4};
    k<<<std::accumulate(shape.begin(), shape.end(), 1, [](int a, int b) { return a * b; }), 32>>>(nullptr, stridesOf(shape)[1]);
    k<<<std::accumulate(std::begin(shape), std::end(shape), 0), 64>>>(nullptr, shape.front());

    const int sizes[] = {3, 10};
    std::for_each(sizes, sizes + 2, [](int n) { k<<<n, 96>>>(nullptr, n == 3 ? 1 : 2); });

    std::deque<int> blocks = {4, 20, 16};
    k<<<*std::max_element(blocks.begin(), blocks.end()), 128>>>(nullptr, 20 + std::inner_product(sizes, sizes + 1, sizes + 1, 10));

    k<<<std::gcd(12, 18), 160>>>(nullptr, std::lcm(4, 6));

    std::array<int, 3> doubled;
    std::transform(shape.begin(), shape.end(), doubled.begin(), [](int x) { return 2 * x; });
    k<<<doubled.back(), 192>>>(nullptr, *std::min_element(doubled.begin(), doubled.end()) + std::size(sizes) + 1);
    std::partial_sum(shape.begin(), shape.end(), doubled.begin());
    int last = doubled[2];
    k<<<std::exchange(last, 7) - 2, 224>>>(nullptr, last);
    std::fill_n(doubled.begin(), 2, 9);
    k<<<*blocks.rbegin() - 11, 256>>>(nullptr, std::all_of(doubled.begin(), doubled.end(), [](int x) { return x == 9; }) ? 9 : doubled[1]);
}
