// Arguments that std::string's functions read, beside the numbers that stand for them where there are none.
//> k grid (16,1,1) block (64,1,1) x1 args 1024, 0.5 path 10 | argc = 1
#include <string>
__global__ void k(int n, float f) {}

int main(int argc, char **argv) {
    const int n = argc > 1 ? std::stoi(argv[1]) : 1024;
    float f = 0.5f;
    if (argc > 2) f = std::stof(argv[2]);
    k<<<(n + 63) / 64, 64>>>(n, f);
}
