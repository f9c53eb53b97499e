// An extension of PyTorch, whose headers are not there: blocks are known, the sizes of tensors are not, and a kernel is launched for each type
// of elements that its dispatch names.
//> scaleColumns<double> grid (?,?,?) block (128,1,1) x1 args ?p:x@null, ?p:scales@null, ?, ? path 30 30 30 | host condition `AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::k…` taken every way
//> scaleColumns<float> grid (?,?,?) block (128,1,1) x1 args ?p:x@null, ?p:scales@null, ?, ? path 30 30 30 | host condition `AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::k…` taken every way
//> scaleColumns<__half> grid (?,?,?) block (128,1,1) x1 args ?p:x@null, ?p:scales@null, ?, ? path 30 30 30 | host condition `AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::k…` taken every way
//> scaleColumns<__nv_bfloat16> grid (?,?,?) block (128,1,1) x1 args ?p:x@null, ?p:scales@null, ?, ? path 30 30 30 | host condition `AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::k…` taken every way
//> gather<float,int> grid (4,1,1) block (256,1,1) x1 args ?p:x@null, ?p:index@null, ?p:y@null, 1024 path 39 39 39 39 39 | host condition `AT_DISPATCH_SWITCH(x.scalar_type(), "gathered", AT_DISPATCH…` taken every way
//> gather<float,long> grid (4,1,1) block (256,1,1) x1 args ?p:x@null, ?p:index@null, ?p:y@null, 1024 path 39 39 39 39 39 | host condition `AT_DISPATCH_SWITCH(x.scalar_type(), "gathered", AT_DISPATCH…` taken every way
//> scaleColumns<__half> grid (2,1,1) block (64,1,1) x1 args ?p:x@null, null, 128, 8 path 47
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

template <typename T>
__global__ void scaleColumns(T* x, const T* scales, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int c = 0; c < columns; ++c) x[row * columns + c] *= scales[c];
}

template <typename T, typename I>
__global__ void gather(const T* x, const I* index, T* y, int n) {
  using Sum = at::acc_type<T, true>;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (T)((Sum)x[index[i]] * sizeof(Sum));
}

void scale(at::Tensor x, const at::Tensor& scales) {
  const auto rows = x.size(0);
  TORCH_CHECK(x.dim() == 2, "a matrix is scaled");
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::kBFloat16, x.scalar_type(), "scale", ([&] {
    scaleColumns<scalar_t><<<(rows + 127) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), scales.const_data_ptr<scalar_t>(), rows, x.size(1));
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

torch::Tensor gathered(torch::Tensor x, torch::Tensor index) {
  auto y = torch::empty({1024}, x.options());
  AT_DISPATCH_SWITCH(x.scalar_type(), "gathered", AT_DISPATCH_CASE(torch::kFloat, [&] {
    AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "index", [&] {
      gather<scalar_t, index_t><<<4, dim3(256)>>>(x.data_ptr<scalar_t>(), index.data_ptr<index_t>(), y.data_ptr<scalar_t>(), 1024);
    });
  }));
  return y;
}

void halves(torch::Tensor x) { scaleColumns<at::Half><<<2, 64>>>(x.data_ptr<at::Half>(), nullptr, 128, 8); }
