// memset, memcpy and exit are followed; what scanf writes is not known.
//> k grid (1,1,1) block (64,1,1) x1 args {0:0, 4:0, 8:7}, 1 path 15
//> k grid (1,1,1) block (64,1,1) x1 args {0:1, 4:2, 8:3}, ? path 20
struct Args { int a, b, c; };
__global__ void k(Args args, int n) {}

void fail(const char *why) { fprintf(stderr, "%s\n", why); exit(1); }

int main() {
    Args args;
    int n = 1;
    memset(&args, 0, sizeof(args));
    args.c = 7;
    if (n > 5) fail("too large");
    k<<<1, 64>>>(args, n);

    Args other = {1, 2, 3};
    memcpy(&args, &other, sizeof(Args));
    if (scanf("%d", &n) != 1) fail("no number");
    k<<<1, 64>>>(args, n);

    if (other.c == 3) fail("always");
    k<<<1, 96>>>(args, 0);
}
