// argc = 1 is named where a launch depends on it, and only there.
//> k grid (16,1,1) block (64,1,1) x1 args 1024 path 14 | argc = 1
//> k grid (1,1,1) block (32,1,1) x1 args 5 path 15
//> k grid (1,1,1) block (32,1,1) x1 args 6 path 16 | argc = 1
__global__ void k(int n) {}

int main(int argc, char **argv) {
    int n = 1024;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 3) {
        printf("usage\n");
        return 1;
    }
    k<<<(n + 63) / 64, 64>>>(n);
    k<<<1, 32>>>(5);
    if (argc < 2) k<<<1, 32>>>(6);
}
