// Options on the command line: none are given. A kernel that is launched only where some are is found all the same.
//> k grid (8,1,1) block (128,1,1) x1 args 1024 path 17 | argc = 1
//> found grid (2,1,1) block (64,1,1) x1 args 100 path 20 | argc = 1
//> asked grid (?,1,1) block (96,1,1) x1 args ? path 22 | the command line is as the program asks for
__global__ void k(int n) {}
__global__ void asked(int n) {}
__global__ void found(int n) {}
bool hasFlag(int argc, const char** argv, const char* name);
int findInt(int argc, char* argv[], const char* name, int otherwise);

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int block = 128, option;
    while ((option = getopt(argc, argv, "b:")) != -1)
        if (option == 'b') block = atoi(optarg);
    if (checkCmdLineFlag(argc, (const char**)argv, "n")) n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
    k<<<n / block, block>>>(n);
    if (hasFlag(argc, (const char**)argv, "none")) return 0;
    int m = findInt(argc, argv, "-m", 100);
    found<<<(m + 63) / 64, 64>>>(m);
    if (argc != 3) return 1;
    asked<<<atoi(argv[2]), 96>>>(argc);
}
