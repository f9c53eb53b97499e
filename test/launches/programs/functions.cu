// Lambdas, tables of function pointers, kernels in variables, cudaLaunchKernel.
//> a grid (3,1,1) block (64,1,1) x1 args 1 path 19 13 20
//> a grid (2,1,1) block (128,1,1) x1 args 10 path 10 24
//> b grid (2,1,1) block (128,1,1) x1 args 10 path 11 24
//> a grid (4,1,1) block (32,1,1) x1 args 7 path 27
//> b grid (6,1,1) block (32,4,1) x1 args 9 path 31
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

    typedef void (*Runner)(int);
    Runner runners[] = {runA, runB};
    for (int i = 0; i < 2; i++) runners[i](10);

    void (*kernel)(int) = a;
    kernel<<<4, 32>>>(7);

    int n = 9;
    void *args[] = {&n};
    cudaLaunchKernel((void *)b, dim3(6), dim3(32, 4), args, 0, 0);
}
