// Lambdas, std::function, tables of function pointers, kernels in variables, cudaLaunchKernel.
//> a grid (3,1,1) block (64,1,1) x1 args 1 path 15 21
//> a grid (5,1,1) block (96,1,1) x1 args 2 path 27
//> a grid (2,1,1) block (128,1,1) x1 args 10 path 11 30
//> b grid (2,1,1) block (128,1,1) x1 args 10 path 12 30
//> a grid (4,1,1) block (32,1,1) x1 args 7 path 33
//> b grid (6,1,1) block (32,4,1) x1 args 9 path 37
__global__ void a(int n) {}
__global__ void b(int n) {}

void runA(int n) { a<<<2, 128>>>(n); }
void runB(int n) { b<<<2, 128>>>(n); }

template <typename F> void timed(F f) { f(); }

int main()
{
    int blocks = 3;
    auto go = [&]() {
        a<<<blocks, 64>>>(1); };
    timed(go);

    int threads = 96;
    std::function<void(int)> later = [=](int n) {
        a<<<5, threads>>>(n);
    };
    later(2);

    typedef void (*Runner)(int);
    Runner runners[] = {runA, runB};
    for (int i = 0; i < 2; i++) runners[i](10);

    void (*kernel)(int) = a;
    kernel<<<4, 32>>>(7);

    int n = 9;
    void *args[] = {&n};
    cudaLaunchKernel((void *)b, dim3(6), dim3(32, 4), args, 0, 0);
}
