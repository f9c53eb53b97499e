// Names that every object of JavaScript has are names like others in C++ and in configurations.
import { expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

it.each([
  "toString",
  "constructor",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__proto__",
  "__defineGetter__",
])("a text may use %s as a name of anything", async (name) => {
  const files = {
    "/w/undeclared.cu": `${kernel("k", `a[${name}(i)] = std::${name}(a[i]) + std::${name}<int>::value; __${name}(); a->${name}();`)}
int main() { float* d; cudaDeviceProp p; p.${name} = 1; ${name}("a", &k); std::${name}(d); py::${name}(${name}); k<<<p.${name}, 256>>>(d); }`,
    "/w/declared.cu": `struct S { int ${name}; }; template <class T> struct ${name}_ {}; namespace n { int ${name}; }
__device__ int f(int ${name}) { return ${name} + 1; }
${kernel(name, `S s; s.${name} = f(i); asm("${name}.${name} %0, %${name};" : "=r"(i)); a[s.${name}] = 1;`)}
int main() { float* d; cudaMalloc(&d, 4096); ${name}<<<4, 256>>>(d); }`,
    "/w/Makefile": `${name} = 1\nall: $(${name}) ${name}\n\tnvcc $(${name}) -D${name}=1 --${name} undeclared.cu\n`,
    "/w/CMakeLists.txt": `project(p LANGUAGES CUDA ${name})\n${name}(a)\nfind_package(${name})\nget_filename_component(x y ${name})\nadd_executable(p declared.cu)\nset_property(TARGET p PROPERTY ${name} ${name})\n`,
    "/w/warplint.json": JSON.stringify({ launches: {} }),
  };
  const host = memoryHost(files, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const sources = Object.keys(files).filter((file) => file.endsWith(".cu"));
  const { failures } = lintFiles(sources, host, project, await testPipeline(), { block: null });
  expect(failures.filter(({ detail }) => detail !== null)).toEqual([]);
});

function kernel(name: string, body: string): string {
  return `__global__ void ${name}(float* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; ${body} }`;
}
