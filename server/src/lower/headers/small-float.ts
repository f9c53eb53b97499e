// The floats of 8, 6 and 4 bits (cuda_fp8.h, cuda_fp6.h, cuda_fp4.h), as source: what they hold is data, how large they are is not. It is read
// only for programs that name them.

/** Name under which the ranges of this text appear. */
export const smallFloatFile = "<cuda_fp8.h>";

/** What a program that needs `smallFloatText` mentions. */
export const smallFloatNames = /\b__nv_fp[864](x[24])?_/;

const scalars = [
  "float",
  "double",
  "__half",
  "__nv_bfloat16",
  "int",
  "unsigned int",
  "short",
  "unsigned short",
];
const integers = [...scalars.slice(4), "signed char", "unsigned char", "bool"];
const pairs = {
  __half2: "__floats2half2_rn",
  __nv_bfloat162: "__floats2bfloat162_rn",
  float2: "make_float2",
};

/** One, two and four numbers of a format, with the storage that cuda_fp8.hpp and its like give them. */
function formatText(kind: string, format: string): string {
  const one = `__nv_${kind}_${format}`;
  const two = `__nv_${kind}x2_${format}`;
  const four = `__nv_${kind}x4_${format}`;
  // Two and four numbers of 4 bits share bytes.
  const storage =
    kind === "fp4"
      ? ["unsigned char", "unsigned char", "unsigned short"]
      : ["unsigned char", "unsigned short", "unsigned int"];
  const bits = kind === "fp4" ? 4 : 8;
  const number = (index: number) =>
    `__half2float(__nv_cvt_fp8_to_halfraw(__x >> ${index * bits}, __NV_E4M3))`;
  const encoded = (value: string) => `__nv_cvt_float_to_fp8(${value}, __NV_SATFINITE, __NV_E4M3)`;
  return `
struct ${one} {
  ${storage[0]} __x;
  ${one}() = default;
${scalars.map((type) => `  explicit __host__ __device__ ${one}(const ${type} v) { __x = ${encoded("(float)v")}; }`).join("\n")}
${["float", "double", "__half", "__nv_bfloat16"].map((type) => `  explicit __host__ __device__ operator ${type}() const { return (${type})${number(0)}; }`).join("\n")}
${integers.map((type) => `  explicit __host__ __device__ operator ${type}() const { return (${type})${number(0)}; }`).join("\n")}
};
struct ${two} {
  ${storage[1]} __x;
  ${two}() = default;
${[...Object.keys(pairs), "double2"].map((type) => `  explicit __host__ __device__ ${two}(const ${type} v) { __x = ${encoded("(float)v.x")} | ${encoded("(float)v.y")} << ${bits}; }`).join("\n")}
${Object.entries(pairs)
  .map(
    ([type, make]) =>
      `  explicit __host__ __device__ operator ${type}() const { return ${make}(${number(0)}, ${number(1)}); }`,
  )
  .join("\n")}
};
struct ${four} {
  ${storage[2]} __x;
  ${four}() = default;
${["float4", "double4"].map((type) => `  explicit __host__ __device__ ${four}(const ${type} v) { __x = ${encoded("(float)v.x")} | ${encoded("(float)v.y")} << ${bits} | ${encoded("(float)v.z")} << ${2 * bits} | ${encoded("(float)v.w")} << ${3 * bits}; }`).join("\n")}
${["__half2", "__nv_bfloat162"].map((type) => `  explicit __host__ __device__ ${four}(const ${type} lo, const ${type} hi) { __x = ${encoded("(float)lo.x")} | ${encoded("(float)lo.y")} << ${bits} | ${encoded("(float)hi.x")} << ${2 * bits} | ${encoded("(float)hi.y")} << ${3 * bits}; }`).join("\n")}
  explicit __host__ __device__ operator float4() const { return make_float4(${[0, 1, 2, 3].map(number).join(", ")}); }
};`;
}

function storageText(kind: string): string {
  const [one, two, four] =
    kind === "fp4"
      ? ["unsigned char", "unsigned char", "unsigned short"]
      : ["unsigned char", "unsigned short", "unsigned int"];
  return `
typedef ${one} __nv_${kind}_storage_t;
typedef ${two} __nv_${kind}x2_storage_t;
typedef ${four} __nv_${kind}x4_storage_t;`;
}

/** No enumeration of the formats: programs name them alone too, and the prelude has those of 8 bits. */
export const smallFloatText = [
  ...["fp8", "fp6", "fp4"].map(storageText),
  ...["e4m3", "e5m2", "e8m0"].map((format) => formatText("fp8", format)),
  ...["e3m2", "e2m3"].map((format) => formatText("fp6", format)),
  formatText("fp4", "e2m1"),
].join("\n");
