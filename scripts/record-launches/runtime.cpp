// A CUDA runtime without a GPU: it keeps memory with malloc, runs no kernel, and prints each launch with its grid, block, dynamic shared memory and
// arguments as test/launches/programs.test.ts writes them, to the file that LAUNCHES_FILE names, else to standard output. Programs of this repository
// alone are run with it (record.sh links it, record-project.py loads it before the toolkit's own).
#include <cuda_runtime.h>
#include <cxxabi.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {
struct Kernel { std::string name; std::vector<std::string> parameters; };
std::map<const void*, Kernel>& kernels() { static std::map<const void*, Kernel> all; return all; }
FILE* output() { static FILE* file = getenv("LAUNCHES_FILE") ? fopen(getenv("LAUNCHES_FILE"), "a") : stdout; return file; }
std::map<const char*, size_t>& blocks() { static std::map<const char*, size_t> all; return all; }
struct Configuration { dim3 grid, block; size_t shared; cudaStream_t stream; };
std::vector<Configuration>& configurations() { static std::vector<Configuration> all; return all; }

Kernel parsed(const char* mangled) {
  int status = 0;
  // With -rdc=true: `__nv_static_37__…__ZN…`, in front of which the name of the file stands.
  if (strncmp(mangled, "__nv_static_", 12) == 0 && strstr(mangled, "__Z")) mangled = strstr(mangled, "__Z") + 1;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string whole = status == 0 ? text : mangled;
  free(text);
  Kernel kernel;
  // `void name<args>(parameters)`: the parameters are in the last parentheses at depth 0.
  size_t open = whole.size();
  int depth = 0;
  for (size_t at = whole.size(); at-- > 0;) {
    if (whole[at] == ')' || whole[at] == '>') depth++;
    if (whole[at] == '(' || whole[at] == '<') depth--;
    if (whole[at] == '(' && depth == 0) { open = at; break; }
  }
  std::string head = whole.substr(0, open);
  if (head.rfind("void ", 0) == 0) head = head.substr(5);
  kernel.name = head;
  std::string list = open < whole.size() ? whole.substr(open + 1, whole.size() - open - 2) : "";
  std::string one;
  depth = 0;
  for (char letter : list) {
    if (letter == '<' || letter == '(' || letter == '[') depth++;
    if (letter == '>' || letter == ')' || letter == ']') depth--;
    if (letter == ',' && depth == 0) { kernel.parameters.push_back(one); one.clear(); continue; }
    if (!(one.empty() && letter == ' ')) one += letter;
  }
  if (!one.empty()) kernel.parameters.push_back(one);
  return kernel;
}

void* allocate(size_t bytes) {
  char* memory = (char*)calloc(bytes ? bytes : 1, 1);
  blocks()[memory] = bytes;
  return memory;
}

void printPointer(const char* pointer) {
  if (pointer == nullptr) { fprintf(output(), "null"); return; }
  auto after = blocks().upper_bound(pointer);
  if (after == blocks().begin()) { fprintf(output(), "pointer"); return; }
  --after;
  if (pointer > after->first + after->second) { fprintf(output(), "pointer"); return; }
  fprintf(output(), "p@%zu", after->second);
  if (pointer != after->first) fprintf(output(), "+%zd", pointer - after->first);
}

void printArgument(std::string type, const void* at) {
  if (type.size() > 6 && type.substr(type.size() - 6) == " const") type = type.substr(0, type.size() - 6);
  if (!type.empty() && type.back() == '*') printPointer(*(const char* const*)at);
  else if (type == "int") fprintf(output(), "%d", *(const int*)at);
  else if (type == "unsigned int") fprintf(output(), "%u", *(const unsigned*)at);
  else if (type == "long" || type == "long long") fprintf(output(), "%ld", *(const long*)at);
  else if (type == "unsigned long" || type == "unsigned long long") fprintf(output(), "%lu", *(const unsigned long*)at);
  else if (type == "float") fprintf(output(), "%.9g", *(const float*)at);
  else if (type == "double") fprintf(output(), "%.17g", *(const double*)at);
  else if (type == "bool") fprintf(output(), "%d", *(const bool*)at);
  else if (type == "char" || type == "signed char" || type == "unsigned char") fprintf(output(), "%d", *(const signed char*)at);
  else if (type == "short" || type == "unsigned short") fprintf(output(), "%d", *(const short*)at);
  else fprintf(output(), "{%s}", type.c_str());
}

void launched(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared) {
  auto found = kernels().find(function);
  Kernel kernel = found == kernels().end() ? Kernel{"?", {}} : found->second;
  fprintf(output(), "> %s grid (%u,%u,%u) block (%u,%u,%u)", kernel.name.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if (shared) fprintf(output(), " shared %zu", shared);
  fprintf(output(), " args ");
  for (size_t index = 0; index < kernel.parameters.size(); index++) {
    if (index) fprintf(output(), ", ");
    printArgument(kernel.parameters[index], arguments[index]);
  }
  fprintf(output(), "\n");
}
long handles = 0;
}

extern "C" {
void** __cudaRegisterFatBinary(void*) { static void* handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) { kernels()[host] = parsed(name); }
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
void __cudaRegisterManagedVar(void**, void** pointer, char*, const char*, int, size_t size, int, int) { *pointer = allocate(size); }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  Configuration last = configurations().back();
  configurations().pop_back();
  *grid = last.grid; *block = last.block; *shared = last.shared; *(cudaStream_t*)stream = last.stream;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t) { launched(f, g, b, a, s); return cudaSuccess; }
cudaError_t __cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t) { launched(f, g, b, a, s); return cudaSuccess; }
cudaError_t __cudaLaunchKernel_ptsz(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t) { launched(f, g, b, a, s); return cudaSuccess; }
cudaError_t __cudaGetKernel(void** kernel, const void* f) { *kernel = (void*)f; return cudaSuccess; }
cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t) { launched(f, g, b, a, s); return cudaSuccess; }
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** a) { launched(f, c->gridDim, c->blockDim, a, c->dynamicSmemBytes); return cudaSuccess; }
cudaError_t cudaMalloc(void** p, size_t n) { *p = allocate(n); return cudaSuccess; }
cudaError_t cudaMallocHost(void** p, size_t n) { *p = allocate(n); return cudaSuccess; }
cudaError_t cudaHostAlloc(void** p, size_t n, unsigned) { *p = allocate(n); return cudaSuccess; }
cudaError_t cudaHostGetDevicePointer(void** d, void* h, unsigned) { *d = h; return cudaSuccess; }
cudaError_t cudaMallocManaged(void** p, size_t n, unsigned) { *p = allocate(n); return cudaSuccess; }
cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t) { *p = allocate(n); return cudaSuccess; }
cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t w, size_t h) { *pitch = (w + 511) / 512 * 512; *p = allocate(*pitch * h); return cudaSuccess; }
cudaError_t cudaFree(void*) { return cudaSuccess; }
cudaError_t cudaFreeHost(void*) { return cudaSuccess; }
cudaError_t cudaFreeAsync(void*, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemcpy(void* d, const void* s, size_t n, cudaMemcpyKind) { memmove(d, s, n); return cudaSuccess; }
cudaError_t cudaMemcpyAsync(void* d, const void* s, size_t n, cudaMemcpyKind, cudaStream_t) { memmove(d, s, n); return cudaSuccess; }
cudaError_t cudaMemcpy2D(void* d, size_t dp, const void* s, size_t sp, size_t w, size_t h, cudaMemcpyKind) { for (size_t i = 0; i < h; i++) memmove((char*)d + i * dp, (const char*)s + i * sp, w); return cudaSuccess; }
cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, cudaMemcpyKind) { return cudaSuccess; }
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemcpyFromSymbol(void* d, const void*, size_t n, size_t, cudaMemcpyKind) { memset(d, 0, n); return cudaSuccess; }
cudaError_t cudaGetSymbolAddress(void** p, const void*) { *p = allocate(4096); return cudaSuccess; }
cudaError_t cudaMemset(void* d, int v, size_t n) { memset(d, v, n); return cudaSuccess; }
cudaError_t cudaMemsetAsync(void* d, int v, size_t n, cudaStream_t) { memset(d, v, n); return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t* f, size_t* t) { *f = 80ull << 30; *t = 80ull << 30; return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "no error"; }
const char* cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
cudaError_t cudaGetDevice(int* d) { *d = 0; return cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* n) { *n = 1; return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) { *v = a == cudaDevAttrMultiProcessorCount ? 132 : a == cudaDevAttrMaxThreadsPerBlock ? 1024 : a == cudaDevAttrWarpSize ? 32 : 1; return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  memset(p, 0, sizeof *p);
  strcpy(p->name, "NVIDIA H100");
  p->multiProcessorCount = 132; p->warpSize = 32; p->maxThreadsPerBlock = 1024; p->major = 9; p->sharedMemPerBlock = 49152;
  p->maxThreadsPerMultiProcessor = 2048; p->maxGridSize[0] = 2147483647; p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024; p->maxThreadsDim[2] = 64; p->totalGlobalMem = 80ull << 30; p->sharedMemPerBlockOptin = 232448;
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* s) { *s = (cudaStream_t)++handles; return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { *s = (cudaStream_t)++handles; return cudaSuccess; }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) { *s = (cudaStream_t)++handles; return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return cudaSuccess; }
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* g) { *g = (cudaGraph_t)++handles; return cudaSuccess; }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t, unsigned long long) { *e = (cudaGraphExec_t)++handles; return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* e) { *e = (cudaEvent_t)++handles; return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { *e = (cudaEvent_t)++handles; return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { *ms = 1; return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void*) { memset(a, 0, sizeof *a); a->maxThreadsPerBlock = 1024; return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int t, size_t) { *n = 2048 / t; return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void*, int t, size_t, unsigned) { *n = 2048 / t; return cudaSuccess; }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* v, int, int) { *v = 1; return cudaSuccess; }
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
}
