// Sizes by the bits of others, as the host's compiler counts them.
//> passes<4> grid (16,1,1) block (64,1,1) x1 args 10, 9 path 17
//> passes<4> grid (3,1,1) block (32,1,1) x1 args 20, 40 path 18
template <int LOG>
__global__ void passes(int a, int b) {}

constexpr int logarithmOf(int n) { return __builtin_ctz(n); }

int main() {
  const int n = 1024;
  const unsigned mask = 0x0b00u;
  int steps = __builtin_ctz(n);
  int top = 31 - __builtin_clz(n - 1);
  constexpr int log = logarithmOf(16);
  long long large = 1ll << 40;

  passes<log><<<n / 64, 64>>>(steps, top);
  passes<log><<<__builtin_popcount(mask), 32>>>(__builtin_ffs(0x80000), __builtin_ctzll(large));
}
