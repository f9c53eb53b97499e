// Globals that are first asked for on a way that may not be taken, in a loop that is not run to its end, or when another that they are made of
// has changed: they hold what they begin with.
//> sized grid (1,1,1) block (96,1,1) x1 args 96 path 41
//> sized grid (?,1,1) block (128,1,1) x1 args ? path 44
//> sized grid (?,1,1) block (8,1,1) x1 args 8 path 48
//> sized grid (3,1,1) block (64,1,1) x1 args 64 path 51
//> sized grid (4,1,1) block (128,1,1) x1 args 1024 path 55
//> sized grid (5,1,1) block (16,1,1) x1 args 7 path 56
//> sized grid (6,1,1) block (32,1,1) x1 args 32 path 57
//> sized grid (7,1,1) block (64,1,1) x1 args 7 path 58
#include <cstdio>
#include <cstdlib>

int threads = 96;
int rows = 32;
int chunk = 64;
int documents = 1 << 30;
unsigned terms = 0;
int base = 32;
int wide = base * 4;
struct Half { int threads; Half(int n) : threads(n / 2) {} };
Half half(base);
int made = 0;
int first = ++made * 32, second = ++made * 32;

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

    base = 1024;
    made = 7;
    sized<<<4, wide>>>(base);
    sized<<<5, half.threads>>>(made);
    sized<<<6, first>>>(first);
    sized<<<7, second>>>(made);
    return 0;
}
