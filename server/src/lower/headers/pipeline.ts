// cuda::pipeline of one thread, as <cuda/pipeline> declares it: cp.async's groups. Pipelines of a block hold barriers in shared memory, and are not
// followed.

export const pipelineText = `
namespace cuda {
template <thread_scope Scope> class pipeline;
template <> class pipeline<thread_scope_thread> {
public:
  __device__ void producer_acquire() {}
  __device__ void producer_commit() { __pipeline_commit(); }
  __device__ void consumer_wait() { __pipeline_wait_prior(0); }
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }
};
static __device__ pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <typename Group, typename State, typename... Role> __device__ pipeline<thread_scope_block> make_pipeline(const Group& group, State* state, Role... role);
template <unsigned char Prior> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) { __pipeline_wait_prior(Prior); }
}
`;
