// Constants pass through two host functions and a macro; a CPU reference is not run.
//> scale grid (4,1,1) block (256,1,1) x3 args ?p:d_x@4096, 1000, 2.5 path 11 20 29
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define CHECK(call) do { cudaError_t err = (call); if (err != cudaSuccess) { printf("%d\n", err); exit(1); } } while (0)

__global__ void scale(float *x, int n, float f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= f; }

void launch_scale(float *x, int n, float f, int threads) {
    dim3 block(threads);
    dim3 grid(CEIL_DIV(n, threads));
    scale<<<grid, block>>>(x, n, f);
    CHECK(cudaGetLastError());
}

void run(int n) {
    float *d_x;
    float *h_x = (float *)malloc(4096);
    for (int i = 0; i < 100000000; i++) h_x[i % 1024] += i;
    CHECK(cudaMalloc((void **)&d_x, 4096));
    for (int i = 0; i < 3; ++i) launch_scale(d_x, n, 2.5f, 256);
    double sum = 0;
    for (int i = 0; i < 1000000000; i++) sum += h_x[i];
    if (sum > 3) printf("%f\n", sum);
    cudaFree(d_x);
}

int main()
{
    run(1000);
    return 0;
}
