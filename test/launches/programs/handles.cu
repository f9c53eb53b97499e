// What CUDA's functions give goes where their arguments point, and leaves the members around it alone; what they return says whether
// they succeeded.
//> blur grid (8,1,1) block (64,1,1) x1 args ?p:this@1800, 450 path 26 36
#include <stdexcept>

inline void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) throw std::runtime_error(what);
}

struct Image {
  float *pixels;
  int width;
};

__global__ void blur(float *pixels, int width) { pixels[threadIdx.x] = width; }

class Pipeline {
 public:
  explicit Pipeline(int width) {
    image_ = {nullptr, width};
    check(cudaStreamCreate(&stream_), "stream");
    check(cudaEventCreate(&event_), "event");
    check(cudaMalloc(&image_.pixels, width * sizeof(float)), "image");
    check(cudaMemset(image_.pixels, 0, width * sizeof(float)), "clear");
  }
  void run() { blur<<<(image_.width + 63) / 64, 64, 0, stream_>>>(image_.pixels, image_.width); }

 private:
  Image image_{};
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

int main() try {
  Pipeline pipeline(450);
  pipeline.run();
  return 0;
} catch (const std::exception &error) {
  return 1;
}
