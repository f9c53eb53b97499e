// What the host asks of the GPU is answered as an H200 does, and said of each launch that depends on it. A condition that is not known
// stands around some launches; what both ways set alike stays known.
//> k grid (1,1,1) block (32,1,1) x1 args 2 path 19 | host condition `rand() > 5` taken both ways
//> k grid (1,1,1) block (64,1,1) x1 args 1 path 22 | host condition `rand() > 5` taken both ways
//> k grid (1,1,1) block (128,1,1) x1 args 3 path 24
//> k grid (132,1,1) block (96,1,1) x1 args ? path 25 | the GPU is an H200
//> k grid (9,1,1) block (160,1,1) x1 args 1024 path 26 | the GPU is an H200
//> k grid (132,1,1) block (192,1,1) x1 args 32 path 29 | the GPU is an H200
//> k grid (1,1,1) block (224,1,1) x1 args 1024 path 33 | the GPU is an H200
__global__ void k(int n) {}

int main() {
    cudaDeviceProp props;
    cudaGetDeviceProperties(&props, 0);
    int version = 1, same = 0, threads = 5;
    if (rand() > 5) {
        version = 2;
        same = 3;
        k<<<1, 32>>>(version);
    } else {
        same = 3;
        k<<<1, 64>>>(version);
    }
    k<<<1, 128>>>(same);
    k<<<props.multiProcessorCount, 96>>>(version);
    if (props.major >= 8) k<<<props.major, 160>>>(props.maxThreadsPerBlock);
    int count;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    k<<<count, 192>>>(props.warpSize);
    float* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 513, 8);
    k<<<1, 224>>>(pitch);
}
