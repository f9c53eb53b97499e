// A loop over an array of sizes, and one over a static table of dim3.
//> k grid (1,1,1) block (64,1,1) x1 args 64 path 14
//> k grid (2,1,1) block (64,1,1) x1 args 128 path 14
//> k grid (16,1,1) block (64,1,1) x1 args 1024 path 14
//> k grid (7,1,1) block (32,8,1) x1 args 1 path 18
//> k grid (7,1,1) block (16,16,1) x1 args 1 path 18
__global__ void k(int n) {}
static const dim3 shapes[] = {dim3(32, 8), dim3(16, 16)};

int main() {
    int sizes[] = {64, 128, 1024};
    for (int s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        int n = sizes[s];
        k<<<n / 64, 64>>>(n);
    }
    for (const dim3 &shape : shapes)
    {
        k<<<7, shape>>>(1);
    }
}
