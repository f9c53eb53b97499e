// A variadic helper launches what it is given; a macro launches; template arguments are deduced.
//> add grid (8,1,1) block (128,1,1) x1 args ?p:x@4096, 3 path 10 20
//> fill<double> grid (2,1,1) block (64,1,1) x1 args ?p:y@8192, 1.5 path 21
//> fill<float> grid (16,1,1) block (64,1,1) x2 args ?p:x@4096, 2 path 12 22
template <typename T> __global__ void fill(T *p, T value) {}
__global__ void add(float *p, int n) {}

template <typename... P, typename... A>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, A... args) {
    kernel<<<grid, block>>>(args...);
}
template <typename T> void fillAll(T *p, int n, T value) { fill<<<n / 64, 64>>>(p, value); }
#define LAUNCH(kernel, n, ...) kernel<<<(n) / 64, 64>>>(__VA_ARGS__)

int main() {
    float *x;
    double *y;
    cudaMalloc(&x, 1024 * sizeof(*x));
    cudaMalloc(&y, 1024 * sizeof(*y));
    launch(add, 8, 128, x, 3);
    LAUNCH(fill, 128, y, 1.5);
    for (int repeat = 0; repeat < 2; repeat++) fillAll(x, 1024, 2.0f);
}
