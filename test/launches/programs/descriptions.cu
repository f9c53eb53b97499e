// Arrays on the heap whose elements point to data: what describes the data is followed, whichever index it is written at.
#include <cstdlib>
#include <cstring>

struct Layer {
  int inputs, outputs;
  float *weights;
};

__global__ void forward(const float *weights, int inputs, int outputs) {}
__global__ void fill(float *field, int n) {}

bool isGiven(int count, char **names, const char *option) {
  for (int i = 0; i < count; i++) {
    if (names[i] == NULL) continue;
    if (strcmp(names[i], option) == 0) return true;
  }
  return false;
}

int main(int argc, char **argv) {
  int sizes[] = {784, 256, 10};
  Layer *layers = new Layer[2];
  for (int i = 0; i < 2; i++) {
    layers[i].inputs = sizes[i];
    layers[i].outputs = sizes[i + 1];
    layers[i].weights = new float[sizes[i] * sizes[i + 1]];
    for (int j = 0; j < layers[i].inputs * layers[i].outputs; j++) layers[i].weights[j] = 0.5f;
  }
  for (int i = 0; i < 2; i++) forward<<<layers[i].outputs, 128>>>(nullptr, layers[i].inputs, layers[i].outputs);

  char **names = (char **)malloc(argc * sizeof(char *));
  for (int i = 0; i < argc; i++) names[i] = argv[i];
  int n = isGiven(argc, names, "--large") ? 1 << 20 : 1000;
  fill<<<(n + 255) / 256, 256>>>(nullptr, n);

  // What the data are decides nothing.
  int *counts = new int[64];
  for (int i = 0; i < 64; i++) counts[i] = i;
  fill<<<1, 64>>>(nullptr, counts[3]);
  return 0;
}

//> forward grid (256,1,1) block (128,1,1) x1 args null, 784, 256 path 30
//> forward grid (10,1,1) block (128,1,1) x1 args null, 256, 10 path 30
//> fill grid (4,1,1) block (256,1,1) x1 args null, 1000 path 35 | argc = 1
//> fill grid (1,1,1) block (64,1,1) x1 args null, ? path 40
