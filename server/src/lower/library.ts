// Names of libraries that a kernel's figures do not depend on: not followed, and no gap either.

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

/** Whether a name belongs to a library that warplint leaves out on purpose. */
export function isLibraryName(name: string): boolean {
  return prefixes.test(name) || names.has(name);
}
