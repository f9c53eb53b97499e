// A loop too long to be followed leaves the records alone that it only reads by their members and by functions of references; not what they change.
//> fill grid (196,1,1) block (256,1,1) x1 args 50176, 2 path 27
//> fill grid (196,1,1) block (256,1,1) x1 args 50176, 32 path 28
//> fill grid (?,1,1) block (256,1,1) x2 args ?, ? path 29
struct Shape {
  int n, c, h, w;
  int size() const { return n * plane(); }
  int plane() const { return c * h * w; }
  int& rows() { return h; }
  int grow() {
    h += 1;
    return n * c * h * w;
  }
};

int total(const Shape& shape) { return shape.size(); }

__global__ void fill(int n, int part) {}

int main() {
  Shape a{2, 32, 28, 28}, b{2, 32, 28, 28}, c{2, 32, 28, 28}, d{2, 32, 28, 28};
  double sum = 0;
  for (int i = 0; i < a.size() && sum < 1e30; ++i) sum += i;
  for (int i = 0; i < total(b) && sum < 1e30; ++i) sum += i;
  for (int i = 0; i < c.grow() && sum < 1e30; ++i) sum += i;
  for (int i = 0; i < d.size() && sum < 1e30; ++i) d.rows() += 1;
  fill<<<a.size() / 256, 256>>>(a.size(), a.n);
  fill<<<total(b) / 256, 256>>>(total(b), b.c);
  fill<<<c.grow() / 256, 256>>>(c.grow(), c.h);
  fill<<<d.size() / 256, 256>>>(d.size(), d.h);
}
