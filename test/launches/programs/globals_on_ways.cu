// Globals that are first asked for on a way that may not be taken, or in a loop that is not run to its end: they hold what they begin with.
//> sized grid (1,1,1) block (96,1,1) x1 args 96 path 30
//> sized grid (?,1,1) block (128,1,1) x1 args ? path 33
//> sized grid (?,1,1) block (8,1,1) x1 args 8 path 37
//> sized grid (3,1,1) block (64,1,1) x1 args 64 path 40
#include <cstdio>
#include <cstdlib>

int threads = 96;
int rows = 32;
int chunk = 64;
int documents = 1 << 18;
unsigned terms = 0;

__global__ void sized(int n) {}

void measure() {
    for (int i = 0; i < documents; i++) {
        unsigned words = i;
        if (words & (2 * chunk - 1)) words += 2 * chunk;
        terms += words;
    }
}

int once() { static int width = 64; return width; }

int main() {
    FILE* file = fopen("sizes.txt", "r");
    if (file && threads < 0) return 1;
    sized<<<1, threads>>>(threads);

    if (file) rows = 64;
    sized<<<rows, 128>>>(rows);

    measure();
    int block = chunk / 8;
    sized<<<terms / 2, block>>>(block);

    if (file) once();
    sized<<<3, once()>>>(once());
    return 0;
}
