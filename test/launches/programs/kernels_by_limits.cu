// Which kernel is launched hangs on a size: each is passed no more than the comparisons before leave.
//> padded<8> grid (?,1,1) block (128,1,1) x1 args ?p:data@null, ? path 19 | host condition `kernel` taken every way
//> padded<4> grid (?,1,1) block (128,1,1) x1 args ?p:data@null, ?<=4 path 19 | host condition `kernel` taken every way
//> padded<2> grid (?,1,1) block (128,1,1) x1 args ?p:data@null, ?<=2 path 19 | host condition `kernel` taken every way
//> padded<1> grid (?,1,1) block (128,1,1) x1 args ?p:data@null, ?<=1 path 19 | host condition `kernel` taken every way
//> direct grid (1,1,1) block (32,1,1) x1 args ?<=64 path 24
//> direct grid (2,1,1) block (32,1,1) x2 args ? path 28 | host condition `n < 10` taken both ways
//> direct grid (3,1,1) block (32,1,1) x1 args ? path 38
//> direct grid (4,1,1) block (32,1,1) x2 args ? path 44
//> direct grid (5,1,1) block (32,1,1) x1 args ? path 46
__global__ void direct(int n) {}
template <int Lanes> __global__ void padded(float* data, int count) {}

void chosen(float* data, int count, int n) {
  auto* kernel = padded<1>;
  if (count > 4) kernel = padded<8>;
  else if (2 < count) kernel = padded<4>;
  else if (!(count <= 1)) kernel = padded<2>;
  kernel<<<n / 128, 128>>>(data, count);
}

void behindReturn(int n) {
  if (n > 64 || n == 7) return;
  direct<<<1, 32>>>(n);
}

void bothSides(int n) {
  if (n < 10) direct<<<2, 32>>>(n);
  else direct<<<2, 32>>>(n);
}

void callee(int n) {
  if (n >= 100) return;
}

void behindCall(int n) {
  callee(n);
  direct<<<3, 32>>>(n);
}

void inLoop(int n) {
  for (int i = 0; i < 2; i++) {
    if (n >= 100) continue;
    direct<<<4, 32>>>(n);
  }
  direct<<<5, 32>>>(n);
}
