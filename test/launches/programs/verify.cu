// The next kernel waits for a check on the CPU of what the first did: launched all the same, and the check costs little.
//> k grid (4096,1,1) block (256,1,1) x1 args ?p:d@4194304, 1 path 26
//> k grid (4096,1,1) block (256,1,1) x1 args ?p:d@4194304, 2 path 29
__global__ void k(float *p, int version) {}

bool verify(const float *a, const float *b, int n) {
    for (int i = 0; i < n; i++) {
        if (fabs(a[i] - b[i]) > 1e-3) {
            printf("wrong at %d\n", i);
            return false;
        }
    }
    return true;
}

int main() {
    const int n = 1 << 20;
    float *h = (float *)malloc(n * sizeof(float)), *r = (float *)malloc(n * sizeof(float)), *d;
    cudaMalloc((void **)&d, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        h[i] = rand() / (float)RAND_MAX;
        r[i] = h[i];
        for (int j = 0; j < 100; j++) r[i] = r[i] * h[i] + 1;
    }
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<n / 256, 256>>>(d, 1);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (!verify(h, r, n)) return 1;
    k<<<n / 256, 256>>>(d, 2);
}
