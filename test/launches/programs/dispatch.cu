// Templates dispatched by a switch over the block size, known and unknown.
//> reduce<256> grid (8,1,1) block (256,1,1) shared 1024 x1 args 2048 path 15 27
//> reduce<512> grid (1,1,1) block (512,1,1) shared 2048 x1 args 512 path 14 28 | host condition `threads` taken every way
//> reduce<256> grid (1,1,1) block (256,1,1) shared 1024 x1 args 256 path 15 28 | host condition `threads` taken every way
//> reduce<128> grid (1,1,1) block (128,1,1) shared 512 x1 args 128 path 16 28 | host condition `threads` taken every way
template <unsigned int blockSize>
__global__ void reduce(int n) { extern __shared__ float s[]; s[threadIdx.x] = n; }

int nextPowerOfTwo(int x) { int p = 1; while (p < x) p <<= 1; return p; }

void dispatch(int n, int threads, int blocks) {
    size_t shared = threads * sizeof(float);
    switch (threads) {
    case 512: reduce<512><<<blocks, threads, shared>>>(n); break;
    case 256: reduce<256><<<blocks, threads, shared>>>(n); break;
    case 128: reduce<128><<<blocks, threads, shared>>>(n); break;
    }
}

int main()
{
    int n = 2048;
    int threads = nextPowerOfTwo(200);
    FILE *f = fopen("x", "r");
    int fromFile;
    fscanf(f, "%d", &fromFile);
    dispatch(n, threads, n / threads);
    dispatch(fromFile, fromFile, 1);
}
