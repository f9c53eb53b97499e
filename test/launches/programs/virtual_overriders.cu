// Functions that override without the word, called through the class in the middle.
//> k grid (23,1,1) block (3,1,1) x1 args 9 path 9 11
//> k grid (23,1,1) block (1,1,1) x1 args 2 path 11
//> k grid (23,1,1) block (1,1,1) x1 args 3 path 11
//> k grid (23,1,1) block (3,1,1) x1 args 10 path 9 11
__global__ void k(int n) {}
struct ILog { virtual void log(int) = 0; virtual int level() const = 0; };
struct D { int w = 5; };
struct Both : D, ILog { int z = 9; void log(int n) override { k<<<level(), 3>>>(n + w); } int level() const override { return z; } };
struct More : Both { int level() const override { return z * 2 + w; } };
int main() { More m; ILog* l = &m; l->log(4); k<<<l->level(), 1>>>(2); Both* b = &m; k<<<b->level(), 1>>>(3); b->log(5); }
