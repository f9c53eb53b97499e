// Names of libraries that a kernel's figures do not depend on: not followed, and no gap either.
import { type CxxType, doubleType, floatType, intType, unsignedType } from "../types/cxx-type.ts";

const prefixes =
  /^(std::|cuda::|cuda[A-Z]|cu[A-Z][a-z]|cublas|cudnn|curand|cufft|cusparse|cusolver|nccl|NCCL|nvtx|nvml|nvrtc|MPI_|omp_|pthread_|thrust::|cub::|CUDA_|CUDNN_|CUBLAS_|CURAND_|CUFFT_|CUSPARSE_)/;

const names = new Set(
  (
    "printf fprintf sprintf snprintf puts putchar fputs fopen fclose fread fwrite fscanf scanf sscanf fgets getline fflush perror " +
    "stdout stderr stdin exit abort atexit rand srand rand_r drand48 srand48 time clock clock64 clock_gettime gettimeofday atoi atol " +
    "atof strtol strtoul strtod strcmp strncmp strlen strcpy strncpy strcat strstr strchr strdup memcmp memcpy memset memmove " +
    "getopt getenv system sleep usleep qsort bsearch assert cout cerr cin endl string vector EXIT_SUCCESS EXIT_FAILURE RAND_MAX " +
    "__assert_fail __trap __brkpt __nanosleep globaltimer isatty getpid optarg optind time_t errno strerror " +
    "FLT_MAX FLT_MIN DBL_MAX DBL_MIN INT_MAX INT_MIN UINT_MAX LLONG_MAX INFINITY NAN M_PI"
  ).split(" "),
);

/** Of such libraries, what copies memory in device code: leaving it out would lose accesses. */
const copies = /(^|::)(memcpy_async|memcpy|memset|memmove|__builtin_memcpy)$/;

/** Whether a call in device code copies memory in a way that is not analysed. */
export function isUnanalysedCopy(name: string): boolean {
  return copies.test(name);
}

/** Whether a name belongs to a library that warplint leaves out on purpose. */
export function isLibraryName(name: string): boolean {
  return prefixes.test(name) || names.has(name);
}

/** Whether it is one of C's or CUDA's own functions, none of which takes a reference. */
export function isByValue(name: string): boolean {
  return !name.includes("::") && (name.startsWith("__") || isLibraryName(name));
}

/** Constants of headers that are never read, as far as host code branches on them. */
const constants = new Map<string, { value: number; type: CxxType }>([
  ["cudaSuccess", { value: 0, type: intType }],
  ["CUDA_SUCCESS", { value: 0, type: intType }],
  ["CUBLAS_STATUS_SUCCESS", { value: 0, type: intType }],
  ["cudaMemcpyHostToHost", { value: 0, type: intType }],
  ["cudaMemcpyHostToDevice", { value: 1, type: intType }],
  ["cudaMemcpyDeviceToHost", { value: 2, type: intType }],
  ["cudaMemcpyDeviceToDevice", { value: 3, type: intType }],
  ["cudaMemcpyDefault", { value: 4, type: intType }],
  ...deviceAttributes(),
  ["EXIT_SUCCESS", { value: 0, type: intType }],
  ["EXIT_FAILURE", { value: 1, type: intType }],
  ["RAND_MAX", { value: 2 ** 31 - 1, type: intType }],
  ["CHAR_BIT", { value: 8, type: intType }],
  ["INT_MAX", { value: 2 ** 31 - 1, type: intType }],
  ["INT_MIN", { value: -(2 ** 31), type: intType }],
  ["UINT_MAX", { value: 2 ** 32 - 1, type: unsignedType }],
  ["FLT_MAX", { value: 3.4028234663852886e38, type: floatType }],
  ["FLT_MIN", { value: 1.1754943508222875e-38, type: floatType }],
  ["FLT_EPSILON", { value: 2 ** -23, type: floatType }],
  ["DBL_MAX", { value: Number.MAX_VALUE, type: doubleType }],
  ["INFINITY", { value: Number.POSITIVE_INFINITY, type: floatType }],
  ["CUDART_INF_F", { value: Number.POSITIVE_INFINITY, type: floatType }],
  ["NAN", { value: Number.NaN, type: floatType }],
  ["M_PI", { value: Math.PI, type: doubleType }],
]);

/** The enumerators of cudaDeviceAttr that programs ask for. */
function deviceAttributes(): [string, { value: number; type: CxxType }][] {
  const numbers = {
    MaxThreadsPerBlock: 1,
    MaxBlockDimX: 2,
    MaxBlockDimY: 3,
    MaxBlockDimZ: 4,
    MaxGridDimX: 5,
    MaxGridDimY: 6,
    MaxGridDimZ: 7,
    MaxSharedMemoryPerBlock: 8,
    WarpSize: 10,
    MaxRegistersPerBlock: 12,
    MultiProcessorCount: 16,
    L2CacheSize: 38,
    MaxThreadsPerMultiProcessor: 39,
    ComputeCapabilityMajor: 75,
    ComputeCapabilityMinor: 76,
    MaxSharedMemoryPerMultiprocessor: 81,
    ManagedMemory: 83,
    ConcurrentManagedAccess: 89,
    CooperativeLaunch: 95,
    MaxSharedMemoryPerBlockOptin: 97,
  };
  return Object.entries(numbers).map(([name, value]) => [`cudaDevAttr${name}`, { value, type: intType }]);
}

/** The value of a constant of CUDA's or C's headers, or null. */
export function libraryConstant(name: string): { value: number; type: CxxType } | null {
  return constants.get(name) ?? null;
}
