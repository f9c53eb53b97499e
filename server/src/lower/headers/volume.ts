// What CUDA's runtime declares of volumes in pitched memory, as source that is lowered like the user's own.

export const volumeText = `
struct cudaExtent {
  unsigned long width;
  unsigned long height;
  unsigned long depth;
};
struct cudaPos {
  unsigned long x;
  unsigned long y;
  unsigned long z;
};
struct cudaPitchedPtr {
  void* ptr;
  unsigned long pitch;
  unsigned long xsize;
  unsigned long ysize;
};
inline __host__ __device__ cudaExtent make_cudaExtent(unsigned long width, unsigned long height, unsigned long depth) {
  return cudaExtent{width, height, depth};
}
inline __host__ __device__ cudaPos make_cudaPos(unsigned long x, unsigned long y, unsigned long z) { return cudaPos{x, y, z}; }
inline __host__ __device__ cudaPitchedPtr make_cudaPitchedPtr(void* ptr, unsigned long pitch, unsigned long xsize, unsigned long ysize) {
  return cudaPitchedPtr{ptr, pitch, xsize, ysize};
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
}
`;
