// Headers of the CUDA toolkit, of C, C++ and Linux: they are missing on purpose, warplint knows what matters of them.

const TOOLKIT =
  /^(?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn|tensor|pti|Complex\.h)|nv|npp|(?:builtin_types|common_functions|math_functions)\.h|cub\/|thrust\/|cooperative_groups|mma\.h|sm_\d+|device_|host_|vector_|driver_|library_types|texture_|surface_|channel_descriptor|math_constants|crt\/|fp8|nccl)/;
const STANDARD =
  /^(?:assert|complex|ctype|dirent|dlfcn|errno|fcntl|float|getopt|inttypes|iso646|limits|locale|malloc|math|memory|pthread|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|wchar|(?:sys|linux|arpa|netinet)\/\w+|\w*intrin)\.h$/;

/** Whether `name` is a header that every CUDA installation has. */
export function isSystemHeader(name: string): boolean {
  return TOOLKIT.test(name) || STANDARD.test(name) || /^[a-z_]+$/.test(name);
}

/** Whether `name` is a header of a library of which warplint has what matters as source of its own, or which says nothing of figures. */
export function isKnownLibrary(name: string): boolean {
  return /^(?:torch|ATen|c10|caffe2|pybind11|Python\.h|numpy|gtest|gmock|benchmark|mpi\.h|omp\.h)\b/.test(
    name,
  );
}
