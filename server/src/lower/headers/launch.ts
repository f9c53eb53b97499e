// CUDA's launches by description, as source: each comes to `<<<>>>` or cudaLaunchKernel.

/** Part of the prelude. The attributes of a launch (clusters, priorities) change nothing of what its warps access. */
export const launchText = `
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization,
  cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority
};
struct cudaLaunchAttributeClusterDim_ { unsigned int x, y, z; };
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  int programmaticStreamSerializationAllowed;
  int priority;
  cudaLaunchAttributeClusterDim_ clusterDim;
};
struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  unsigned long dynamicSmemBytes = 0;
  cudaStream_t stream = 0;
  cudaLaunchAttribute* attrs = 0;
  unsigned int numAttrs = 0;
};
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes = 0;
  void** kernelParams;
  void** extra = 0;
};
template <typename Kernel, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, Kernel kernel, Arguments... given) {
  kernel<<<config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream>>>(given...);
  return cudaSuccess;
}
static cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** given) {
  cudaLaunchKernel(kernel, config->gridDim, config->blockDim, given, config->dynamicSmemBytes, config->stream);
  return cudaSuccess;
}
static cudaError_t cudaGraphAddKernelNode(void* node, void* graph, const void* after, unsigned long count, const cudaKernelNodeParams* launch) {
  cudaLaunchKernel(launch->func, launch->gridDim, launch->blockDim, launch->kernelParams, launch->sharedMemBytes, 0);
  return cudaSuccess;
}
`;
