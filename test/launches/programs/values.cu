// dim3 whose members are set one by one, arithmetic on sizes, copies of host records, a global and a static.
//> k grid (32,2,4) block (8,8,4) x1 args {0:0, 4:0, 8:7} path 21
//> k grid (1,1,1) block (64,1,1) x1 args {0:1, 4:2, 8:3} path 25
//> k grid (1,1,1) block (192,1,1) x1 args {0:1, 4:2, 8:3} path 29
struct Args { int a, b, c; };
__global__ void k(Args args) {}
static int defaultThreads = 64;

int counter() {
    static int calls = 1;
    return ++calls;
}

int main() {
    dim3 block, grid(256);
    block.x = block.y = 8;
    block.z = 4;
    grid.x /= 8; grid.y += 1; grid.z <<= 2;
    Args args = {};
    args.c = 7;
    k<<<grid, block>>>(args);

    Args other = {1, 2, 3}, *p = &args;
    *p = other;
    k<<<1, defaultThreads>>>(*p);

    counter();
    defaultThreads *= counter();
    k<<<1, defaultThreads>>>(args);
}
