// Layers that keep a pointer to their input beside the data that the GPU works on.
//> forward grid (2,48,1) block (64,1,1) x1 args ?p:data@19200, ?p:data@13824, 100, 72 path 37 52
//> forward grid (4,48,1) block (64,1,1) x1 args ?p:data@13824, ?p:data@38400, 72, 200 path 37 52
//> backward grid (1,1,1) block (48,1,1) x1 args ?p:data@13824, ?p:data@57600, 72 path 40 53
//> backward grid (1,1,1) block (48,1,1) x1 args ?p:data@19200, ?p:data@28800, 100 path 40 53
#include <memory>
#include <vector>

struct Matrix {
    int rows, cols;
    float *data;
    Matrix(int r, int c) : rows(r), cols(c) { cudaMalloc(&data, sizeof(float) * r * c); }
    Matrix(const Matrix &) = delete;
    ~Matrix() { cudaFree(data); }
    void upload(const std::vector<float> &from) { cudaMemcpy(data, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice); }
};

__global__ void forward(const float *x, float *y, int rows, int cols) { y[blockIdx.y * cols + blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.y * rows]; }
__global__ void backward(const float *x, float *g, int cols) { g[threadIdx.x] = x[cols * threadIdx.x]; }

struct Layer {
    virtual ~Layer() = default;
    virtual Matrix &forwards(Matrix &x) = 0;
    virtual void backwards() {}
};

struct Dense : Layer {
    Matrix weights, out;
    Matrix *input = nullptr;
    Dense(int batch, int in, int width) : weights(in, width), out(batch, width) {
        std::vector<float> w(in * width);
        for (auto &each : w) each = 0.1f;
        weights.upload(w);
    }
    Matrix &forwards(Matrix &x) override {
        input = &x;
        forward<<<dim3((out.cols + 63) / 64, out.rows), 64>>>(x.data, out.data, x.cols, out.cols);
        return out;
    }
    void backwards() override { backward<<<1, input->rows>>>(input->data, weights.data, input->cols); }
};

int main() {
    Matrix x(48, 100);
    std::vector<float> h(48 * 100);
    for (size_t i = 0; i < h.size(); i++) h[i] = i;
    x.upload(h);
    std::vector<std::unique_ptr<Layer>> net;
    net.push_back(std::make_unique<Dense>(48, 100, 72));
    net.emplace_back(new Dense(48, 72, 200));
    Matrix *at = &x;
    for (auto &layer : net) at = &layer->forwards(*at);
    for (auto it = net.rbegin(); it != net.rend(); ++it) (*it)->backwards();
}
