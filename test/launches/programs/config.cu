// A struct of configuration is filled by a function and passed by value, by reference and by pointer; another goes to the kernel.
//> solve grid (32,4,1) block (32,8,1) shared 4096 x1 args {0:1024, 4:32, 8:0.5, 16:?p:data@null}, 3 path 21 31
struct Config { int width, height; dim3 block; size_t shared; };
struct Params { int n; int pitch; float alpha; float *data; };

__global__ void solve(Params p, int k) {}

void defaults(Config &c) { c.width = 1024; c.height = 32; c.block = dim3(32, 8); c.shared = sizeof(float) * 1024; }

struct Solver {
    Config config;
    float *data;
    int steps = 3;
    explicit Solver(const Config *c) : config(*c), data(nullptr) {}
    void allocate() { cudaMalloc(&data, bytes()); }
    size_t bytes() const { return rand(); }
    void run() const {
        dim3 grid((config.width + config.block.x - 1) / config.block.x, config.height / config.block.y);
        Params p = {config.width, config.height, 0.5f, data};
        p.pitch = config.height;
        solve<<<grid, config.block, config.shared>>>(p, steps);
    }
};

int main()
{
    Config c;
    defaults(c);
    Solver s(&c);
    s.allocate();
    s.run();
}
