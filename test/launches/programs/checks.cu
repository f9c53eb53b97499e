// Results are checked on the host: nobody has to run the loops over the data, nor what ends the process where they are wrong.
//> k grid (32768,1,1) block (128,1,1) x1 args ?p:d@16777216, 4194304 path 31
//> k grid (16384,1,1) block (256,1,1) x1 args ?p:d@16777216, 4194304 path 31
//> k grid (1,1,1) block (64,1,1) x1 args ?p:d@16777216, 1 path 37
__global__ void k(float* p, int n) {}

void usage(const char* name) { printf("usage: %s n\n", name); exit(1); }

void validate(float* device, const float* reference, const char* name, size_t n) {
    float* out = (float*)malloc(n * sizeof(float));
    cudaMemcpy(out, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    int faults = 0;
    for (size_t i = 0; i < n; i++) {
        if (fabs(reference[i] - out[i]) > 1e-5) {
            printf("%s differs at %zu: %f\n", name, i, reference[i]);
            if (++faults > 10) exit(1);
        }
    }
    free(out);
}

int main(int argc, char** argv) {
    if (argc > 2) usage(argv[0]);
    const size_t n = 1 << 22;
    float* reference = (float*)malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) reference[i] = i;
    float* d;
    cudaMalloc(&d, n * sizeof(float));
    const int blocks[] = {128, 256};
    for (int block : blocks) {
        k<<<(n + block - 1) / block, block>>>(d, n);
        validate(d, reference, "d", n);
    }
    bool ok = true;
    for (int i = 0; i < n; i++) if (reference[i] != 1) { ok = false; break; }
    if (!ok) return 1;
    k<<<1, 64>>>(d, 1);
    if (n > 5) usage("always");
    k<<<1, 32>>>(d, 1);
}
