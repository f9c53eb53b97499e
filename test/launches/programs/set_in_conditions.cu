// Sizes that are set in conditions which come out the same every time.
//> k grid (16,1,1) block (128,1,1) x1 args null, 128 path 17
//> k grid (2,1,1) block (64,1,1) x1 args null, 7 path 19
#include <cstdlib>
__global__ void k(float* p, int n) {}

void usage() { exit(1); }

int main() {
    int rows, columns = 0, threads;
    if ((rows = 128) <= 0 ||
        (columns = 16) <= 0)
        usage();
    if (!(threads = 128))
        return 1;
    else
        k<<<columns, threads>>>(nullptr, rows);
    const int blocks = (threads = 64) > 32 ? 2 : 4;
    k<<<blocks, threads>>>(nullptr, (rows = 7) ? rows : 0);
}
