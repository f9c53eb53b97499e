// Records that are passed to kernels in variables: the kernel gets a copy of them as they are at the launch.
//> k grid (1,1,1) block (32,1,1) x1 args {0:3, 4:4} path 14
//> k grid (2,1,1) block (32,1,1) x1 args {0:3, 4:5} path 16
//> k grid (3,1,1) block (32,1,1) x1 args {0:6, 4:7} path 18
struct Sizes { int rows, columns; };
__global__ void k(Sizes sizes) {}
typedef void (*Kernel)(Sizes);

int main() {
    Sizes sizes{};
    sizes.rows = 3;
    sizes.columns = 4;
    auto kernel = &k;
    kernel<<<1, 32>>>(sizes);
    sizes.columns = 5;
    kernel<<<2, 32>>>(sizes);
    Kernel typed = k;
    typed<<<3, 32>>>({6, 7});
}
