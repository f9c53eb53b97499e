// C's library as host code calls it: each function is an intrinsic by its plain name, so that the host interpreter knows what it does.
import {
  type CxxType,
  charType,
  doubleType,
  floatType,
  intType,
  longLongType,
  longType,
  pointerTo,
  unsignedLongLongType,
  unsignedLongType,
  voidType,
} from "../types/cxx-type.ts";

const results = new Map<string, CxxType>();

function add(type: CxxType, names: string): void {
  for (const name of names.split(" ")) results.set(name, type);
}

add(
  intType,
  "printf fprintf sprintf snprintf puts putchar fputs fclose fflush scanf fscanf sscanf atoi rand rand_r strcmp strncmp " +
    "strcasecmp strncasecmp memcmp getopt getopt_long isatty system setenv usleep sleep fseek feof " +
    "toupper tolower isdigit isalpha isspace __warplint_text_compare __warplint_is_shared __warplint_has_room",
);
// Of the helpers that come with NVIDIA's samples.
add(intType, "checkCmdLineFlag getCmdLineArgumentInt getCmdLineArgumentString findCudaDevice");
add(floatType, "getCmdLineArgumentFloat strtof");
add(longType, "atol strtol time clock random lrand48 ftell __warplint_text_find __warplint_text_rfind");
add(longLongType, "atoll strtoll");
add(unsignedLongType, "strtoul strlen fread fwrite");
add(unsignedLongLongType, "strtoull");
add(doubleType, "atof strtod drand48 difftime");
add(voidType, "exit _exit _Exit quick_exit abort srand srand48 srandom perror qsort");
add(voidType, "__warplint_fill __warplint_copy");
add(pointerTo(voidType), "memcpy memmove memset realloc aligned_alloc fopen");
add(
  pointerTo(charType),
  "strcpy strncpy strcat strstr strchr strrchr strdup getenv fgets basename " +
    "__warplint_integer_text __warplint_real_text",
);

/** What the function of C's library called `name` gives, or null where it is none that host code is known to call. */
export function hostFunctionResult(name: string): CxxType | null {
  return results.get(name) ?? null;
}
