// Without main, what nobody calls is run; a kernel that nothing leads to is launched by the function that says so.
//> k grid (?,1,1) block (128,1,1) x1 args ?p:p@null, ? path 8 9
//> k grid (8,1,1) block (64,1,1) x1 args ?p:p@null, 512 path 8 11 10
//> other grid (2,1,1) block (96,1,1) x1 args ? path 12 | the function that launches it is called from elsewhere
__global__ void k(float* p, int n) {}
__global__ void other(int n) {}

template <int Block> void run(float* p, int n) { k<<<(n + Block - 1) / Block, Block>>>(p, n); }
void forward(torch::Tensor x) { run<128>(x.data_ptr<float>(), x.size(0)); }
void both(torch::Tensor x) { helper(x, 512); }
void helper(torch::Tensor x, int n) { run<64>(x.data_ptr<float>(), n); }
void lost(int n) { other<<<2, 96>>>(n); }
void never() { if (false) lost(3); }
