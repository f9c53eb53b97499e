// Loops that launch: a known count, a stride that doubles, ping-pong buffers, an end that is not known.
//> step grid (1,1,1) block (32,1,1) x10 args ?p:a@256, ?p:b@256, 1 path 18
//> pass grid (4,1,1) block (64,1,1) x1 args 1 path 21
//> pass grid (4,1,1) block (64,1,1) x1 args 2 path 21
//> pass grid (4,1,1) block (64,1,1) x1 args 4 path 21
//> step grid (2,1,1) block (32,1,1) x1 args ?p:a@256, ?p:b@256, 0 path 26 | only the first iteration of the loop `error > 1e-5` is known
//> step grid (2,1,1) block (32,1,1) x1 args ?p:a@256, ?p:b@256, ? path 26 | later iterations of the loop `error > 1e-5` as one
__global__ void step(float *in, float *out, int k) {}
__global__ void pass(int stride) {}

float measure(const float *x);

int main() {
    float *a, *b, error;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    for (int i = 0; i < 10; i++) {
        step<<<1, 32>>>(a, b, 1);
        float *t = a; a = b; b = t;
    }
    for (int s = 1; s < 8; s *= 2) pass<<<4, 64>>>(s);
    error = measure(a);
    int k = 0;
    while (error > 1e-5)
    {
        step<<<2, 32>>>(a, b, k++);
        error = measure(b);
    }
}
