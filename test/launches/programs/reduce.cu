// Two-pass reduction: the grid of one pass is the size of the next; the number of passes follows from the data's size.
//> reduce grid (4096,1,1) block (256,1,1) shared 1024 x1 args ?p:in@4194304, ?p:out@16384, 1048576 path 15
//> reduce grid (16,1,1) block (256,1,1) shared 1024 x1 args ?p:out@16384, ?p:in@4194304, 4096 path 15
//> reduce grid (1,1,1) block (256,1,1) shared 1024 x1 args ?p:in@4194304, ?p:out@16384, 16 path 15
__global__ void reduce(float *in, float *out, int n) {}

int main() {
    int n = 1 << 20;
    const int threads = 256;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n / threads * sizeof(float));
    while (n > 1) {
        int blocks = std::max(1, (n + threads - 1) / threads);
        reduce<<<blocks, threads, threads * sizeof(float)>>>(in, out, n);
        n = blocks;
        std::swap(in, out);
    }
}
