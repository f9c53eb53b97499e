// A network in C: layers in memory of the heap, each with its function and its data, in a struct that is handed on by value.
//> scale grid (5,1,1) block (128,1,1) x1 args ?p:l.weights@2400, ?p:l.output@2400, 600 path 20 35 43
//> scale grid (1,1,1) block (128,1,1) x1 args ?p:l.weights@400, ?p:l.output@400, 100 path 20 35 43
#include <stdlib.h>

struct network;
typedef struct layer {
    int outputs;
    float *weights, *output;
    void (*forward)(struct layer, struct network);
} layer;
typedef struct network {
    int n;
    layer *layers;
    float *input;
} network;

__global__ void scale(const float *w, float *y, int n) { y[blockIdx.x * blockDim.x + threadIdx.x] = w[n - threadIdx.x]; }

void forward_scale(layer l, network net) { scale<<<(l.outputs + 127) / 128, 128>>>(l.weights, l.output, l.outputs); }
layer make_layer(int outputs) {
    layer l = {};
    l.outputs = outputs;
    float *w = (float *)malloc(outputs * sizeof(float));
    for (int i = 0; i < outputs; i++) w[i] = rand();
    cudaMalloc(&l.weights, outputs * sizeof(float));
    cudaMalloc(&l.output, outputs * sizeof(float));
    cudaMemcpy(l.weights, w, outputs * sizeof(float), cudaMemcpyHostToDevice);
    l.forward = forward_scale;
    return l;
}
void run(network net) {
    for (int i = 0; i < net.n; i++) {
        layer l = net.layers[i];
        l.forward(l, net);
        net.input = l.output;
    }
}
int main() {
    network net = {2, (layer *)calloc(2, sizeof(layer)), 0};
    net.layers[0] = make_layer(600);
    net.layers[1] = make_layer(100);
    run(net);
}
