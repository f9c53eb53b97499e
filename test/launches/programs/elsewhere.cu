// Globals that this file declares, with the value here or in another file: `extern "C"` without braces is `extern`.
//> k grid (64,1,1) block (32,1,1) x1 args 4 path 20
//> k grid (64,1,1) block (32,1,1) x1 args 0 path 21
//> k grid (?,1,1) block (32,1,1) x2 args ? path 22
//> k grid (7,1,1) block (32,1,1) x1 args 0 path 25
extern "C" const unsigned longest;
extern "C" const unsigned longest = 64;
extern "C" const unsigned longest;
extern const int shortest = 4;
extern const int shortest;
extern "C" int elsewhere;
extern int sizes[4];
extern "C" {
int zero;
extern int there;
}
__global__ void k(int n) {}
int main() {
    const int parts = elsewhere;
    k<<<longest, 32>>>(shortest);
    k<<<longest, 32>>>(zero);
    k<<<parts, 32>>>(elsewhere);
    k<<<sizes[1], 32>>>(there);
    sizes[1] = 7;
    k<<<sizes[1], 32>>>(zero);
}
