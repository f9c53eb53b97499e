// A condition that is not known stands around some launches; what both ways set alike stays known.
//> k grid (1,1,1) block (32,1,1) x1 args 2 path 15 | host condition `props.major >= 8` taken both ways
//> k grid (1,1,1) block (64,1,1) x1 args 1 path 18 | host condition `props.major >= 8` taken both ways
//> k grid (1,1,1) block (128,1,1) x1 args 3 path 20
//> k grid (?,?,?) block (96,1,1) x1 args ? path 21
__global__ void k(int n) {}

int main() {
    cudaDeviceProp props;
    cudaGetDeviceProperties(&props, 0);
    int version = 1, same = 0, threads = 5;
    if (props.major >= 8) {
        version = 2;
        same = 3;
        k<<<1, 32>>>(version);
    } else {
        same = 3;
        k<<<1, 64>>>(version);
    }
    k<<<1, 128>>>(same);
    k<<<props.multiProcessorCount, 96>>>(version);
}
