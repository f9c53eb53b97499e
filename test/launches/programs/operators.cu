// Operators that stand outside of their class, and what a base starts as.
//> k grid (1,1,1) block (32,1,1) x1 args 1 path 17
//> k grid (3,1,1) block (64,1,1) x1 args 3 path 20
//> k grid (4,1,1) block (64,1,1) x1 args 4 path 22
namespace sizes {
struct Size { int value; Size(int given) : value(given) {} };
bool operator==(const Size& a, const Size& b) { return a.value == b.value; }
bool operator<(const Size& a, const Size& b) { return a.value < b.value; }
}
struct Base { int block = 64; };
struct WithConstructor : Base { int grid; WithConstructor() : grid(3) {} };
struct Plain : Base { int grid = 4; };
__global__ void k(int n) {}

int main() {
    sizes::Size small(3), large(5);
    if (small == 3) k<<<1, 32>>>(1);
    if (large < small) k<<<2, 32>>>(2);
    WithConstructor made;
    k<<<made.grid, made.block>>>(3);
    Plain plain;
    k<<<plain.grid, plain.block>>>(4);
}
