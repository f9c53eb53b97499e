// Objects that the host makes with new: their constructors run, and what they hold is known.
__global__ void fill(float *p, int n) {}

struct Shape {
  int rows;
  int columns = 64;
};

class Solver {
 public:
  explicit Solver(int cells);
  ~Solver() { cudaFree(field); }
  int size() const { return cells; }
  void step() { fill<<<(size() + 255) / 256, 256>>>(field, size()); }

 private:
  int cells = 0;
  float *field = nullptr;
};

Solver::Solver(int edge) : cells(edge * edge * edge) { cudaMalloc(&field, cells * sizeof(float)); }

int main() {
  Solver *solver = new Solver(16);
  solver->step();
  delete solver;

  Shape *shape = new Shape{8};
  Shape *wide = new Shape();
  wide->rows = 2;
  int *count = new int(96);
  fill<<<shape->rows, shape->columns>>>(nullptr, *count);
  fill<<<wide->rows, wide->columns>>>(nullptr, 0);

  int *none = new int[4]();
  fill<<<1, 32>>>(nullptr, none[3]);

  float **rows = new float *[16];
  rows[3] = nullptr;
  fill<<<1, 64>>>(rows[3], 16);
  return 0;
}

//> fill grid (16,1,1) block (256,1,1) x1 args ?p:field@16384, 4096 path 14 25
//> fill grid (8,1,1) block (64,1,1) x1 args null, 96 path 32
//> fill grid (2,1,1) block (64,1,1) x1 args null, 0 path 33
//> fill grid (1,1,1) block (32,1,1) x1 args null, 0 path 36
//> fill grid (1,1,1) block (64,1,1) x1 args null, 16 path 40
