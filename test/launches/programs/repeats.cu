// Loops that do the same over and over are counted, not run: a million launches, buffers that change places, and loops within loops.
//> k grid (4,1,1) block (64,1,1) x1000000 args ?p:a@4096, ?p:b@8192, 5 path 18
//> k grid (2,1,1) block (96,1,1) x501 args ?p:a@4096, ?p:b@8192, 7 path 20
//> k grid (2,1,1) block (96,1,1) x500 args ?p:b@8192, ?p:a@4096, 7 path 20
//> k grid (64,1,1) block (128,1,1) x3334 args ?p:b@8192, ?p:a@4096, 1 path 26
//> k grid (32,1,1) block (128,1,1) x3334 args ?p:b@8192, ?p:a@4096, 1 path 26
//> k grid (16,1,1) block (128,1,1) x3334 args ?p:b@8192, ?p:a@4096, 1 path 26
//> k grid (2,1,1) block (160,1,1) x1 args ?p:b@8192, ?p:a@4096, 2 path 29
//> k grid (4,1,1) block (160,1,1) x1 args ?p:b@8192, ?p:a@4096, 4 path 29
//> k grid (8,1,1) block (160,1,1) x1 args ?p:b@8192, ?p:a@4096, 8 path 29
//> k grid (1,1,1) block (192,1,1) x1 args ?p:b@8192, ?p:a@4096, ? path 33
__global__ void k(float* a, float* b, int n) {}

int main() {
    float *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 8192);
    for (int i = 0; i < 1000000; i++) k<<<4, 64>>>(a, b, 5);
    for (int i = 0; i < 1001; ++i) {
        k<<<2, 96>>>(a, b, 7);
        float* t = a;
        a = b;
        b = t;
    }
    for (int grid = 64; grid >= 16; grid /= 2)
        for (int i = 10000; i > 0; i -= 3) k<<<grid, 128>>>(a, b, 1);
    int n = 2;
    for (int i = 0; i < 3; i++) {
        k<<<n, 160>>>(a, b, n);
        n *= 2;
    }
    for (long i = 0; i < 1000000000000L; i++) n += 0;
    k<<<1, 192>>>(a, b, n);
}
