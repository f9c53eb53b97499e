// Texts with n of one thing that people write more of, for the tables of growth (`cliffs.ts`).

export interface Axis {
  readonly name: string;
  /** The smallest n of the table. */
  readonly from: number;
  /** The files of a program with n of it. */
  files(count: number): Readonly<Record<string, string>>;
}

export const axes: readonly Axis[] = [
  one("kernels in a file", 25, (count) =>
    program(
      times(count, (at) =>
        kernel(`k${at}`, `float x = a[i * ${(at % 7) + 1}];\n  a[i] = x + ${at}.0f;`),
      ).join("\n"),
      times(count, (at) => `k${at}<<<32, 256>>>(d);`),
    ),
  ),
  one("launches of a kernel, alike", 250, (count) =>
    program(
      kernel("k", "a[i] *= 2;"),
      times(count, () => "k<<<32, 256>>>(d);"),
    ),
  ),
  one("launches of a kernel, all others", 25, (count) =>
    program(
      "__global__ void k(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i * 2] += 1; }",
      times(count, (at) => `k<<<${at + 1}, 256>>>(d, ${at * 256 + 100});`),
    ),
  ),
  one("template instances", 25, (count) =>
    program(
      "template <int N> __global__ void k(float* a) { int i = threadIdx.x; for (int j = 0; j < 4; j++) a[i * N + j] += N; }",
      times(count, (at) => `k<${at + 1}><<<32, 256>>>(d);`),
    ),
  ),
  one("class template instances", 100, (count) =>
    program(
      "template <int N> struct S { static constexpr int value = N + S<N - 1>::value; };\ntemplate <> struct S<0> { static constexpr int value = 0; };\n" +
        kernel("k", `a[i + S<${count}>::value] = 1;`),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("overloads of a function", 50, (count) =>
    program(
      times(count, (at) => `struct T${at} {}; __device__ int f(T${at}, int x) { return x + ${at}; }`).join(
        "\n",
      ) + kernel("k", times(count, (at) => `a[i] += f(T${at}(), i);`).join("\n  ")),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("statements in a kernel", 100, (count) =>
    program(kernel("k", times(count, (at) => `a[i + ${at}] += ${at};`).join("\n  ")), ["k<<<32, 256>>>(d);"]),
  ),
  one("statements in a line", 100, (count) =>
    program(kernel("k", times(count, (at) => `a[i + ${at}] += ${at};`).join(" ")), ["k<<<32, 256>>>(d);"]),
  ),
  one("device functions, called in a row", 50, (count) =>
    program(
      times(count, (at) =>
        at === 0
          ? "__device__ int f0(int x) { return x + 1; }"
          : `__device__ int f${at}(int x) { return f${at - 1}(x) * 3; }`,
      ).join("\n") + kernel("k", `a[i] = f${count - 1}(i);`),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("nested loops", 5, (count) =>
    program(
      kernel(
        "k",
        `${times(count, (at) => `for (int j${at} = 0; j${at} < 2; j${at}++)`).join(" ")} a[i + j0] += 1;`,
      ),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("nested conditions", 8, (count) =>
    program(
      kernel("k", `${times(count, (at) => `if (i > ${at}) {`).join(" ")} a[i] += 1; ${"}".repeat(count)}`),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("parentheses", 100, (count) =>
    program(kernel("k", `a[i] = ${"(".repeat(count)}i${")".repeat(count)};`), ["k<<<32, 256>>>(d);"]),
  ),
  one("terms of a sum", 100, (count) =>
    program(kernel("k", `a[i] = ${times(count, (at) => `a[i + ${at}]`).join(" + ")};`), [
      "k<<<32, 256>>>(d);",
    ]),
  ),
  one("blocks in blocks", 50, (count) =>
    program(kernel("k", `${"{".repeat(count)} a[i] = 1; ${"}".repeat(count)}`), ["k<<<32, 256>>>(d);"]),
  ),
  one("namespaces in namespaces", 25, (count) =>
    program(
      `${times(count, (at) => `namespace n${at} {`).join(" ")} ${kernel("k", "a[i] = 1;")} ${"}".repeat(count)}`,
      [`${times(count, (at) => `n${at}::`).join("")}k<<<32, 256>>>(d);`],
    ),
  ),
  one("calls in calls of an unknown", 3, (count) =>
    program(kernel("k", `a[i] = ${"f(".repeat(count)}i${")".repeat(count)};`), [
      `int x = ${"g(".repeat(count)}1${")".repeat(count)};`,
      "k<<<32, 256>>>(d);",
    ]),
  ),
  one("calls in calls of a template", 3, (count) =>
    program(
      "template <class T> __host__ __device__ T f(T x) { return x + 1; }\n" +
        kernel("k", `a[i] = ${"f(".repeat(count)}i${")".repeat(count)};`),
      [`int x = ${"f(".repeat(count)}1${")".repeat(count)};`, "k<<<32, 256>>>(d);"],
    ),
  ),
  one("constants as macros", 250, (count) =>
    program(
      times(count, (at) => `#define C${at} ${at}`).join("\n") +
        "\n" +
        kernel("k", `a[i + C${count - 1}] = C1;`),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("macros of macros", 50, (count) =>
    program(
      "#define C0 1\n" +
        times(count, (at) => `#define C${at + 1} (C${at} + 1)`).join("\n") +
        "\n" +
        kernel("k", `a[i + C${count}] = 1;`),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("uses of a macro of arguments", 100, (count) =>
    program(
      `#define AT(p, j) (p)[(i) + (j)]\n${kernel("k", times(count, (at) => `AT(a, ${at}) += 1;`).join("\n  "))}`,
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("macros of arguments in each other", 8, (count) =>
    program(`#define F(x) ((x) + 1)\n${kernel("k", `a[i] = ${"F(".repeat(count)}i${")".repeat(count)};`)}`, [
      "k<<<32, 256>>>(d);",
    ]),
  ),
  {
    name: "headers in headers",
    from: 25,
    files: (count) => ({
      "/w/main.cu": program(`#include "h0.h"\n${kernel("k", `a[i] = c${count - 1};`)}`, [
        "k<<<32, 256>>>(d);",
      ]),
      ...Object.fromEntries(
        times(count, (at) => [
          `/w/h${at}.h`,
          `#pragma once\n${at + 1 < count ? `#include "h${at + 1}.h"\n` : ""}constexpr int c${at} = ${at};\n`,
        ]),
      ),
    }),
  },
  {
    name: "files that share a header",
    from: 10,
    files: (count) => ({
      "/w/shared.h": `#pragma once\n${times(200, (at) => `__device__ inline int f${at}(int x) { return x + ${at}; }`).join("\n")}\n`,
      ...Object.fromEntries(
        times(count, (at) => [
          `/w/f${at}.cu`,
          program(`#include "shared.h"\n${kernel("k", `a[f${at % 200}(i)] = 1;`)}`, ["k<<<32, 256>>>(d);"]),
        ]),
      ),
    }),
  },
  one("elements of an array in the text", 1000, (count) =>
    program(
      `__constant__ int table[${count}] = {${times(count, (at) => (at * 7) % 61).join(", ")}};\n${kernel("k", `a[table[i % ${count}]] = 1;`)}`,
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("elements that the host fills", 16_384, (count) =>
    program(indirect, [...filled(count, "h[j] = rand() % 1024;"), `k<<<${count / 256}, 256>>>(d, e);`]),
  ),
  one("elements of shared arrays", 512, (count) =>
    program(
      kernel(
        "k",
        `__shared__ float s[${count}]; s[i % ${count}] = a[i]; __syncthreads(); a[i] = s[(i * 2) % ${count}];`,
      ),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("host statements", 250, (count) =>
    program(kernel("k", "a[i] = 1;"), [
      "int n = 0;",
      ...times(count, (at) => `n += ${at} % 3;`),
      "k<<<n % 64 + 1, 256>>>(d);",
    ]),
  ),
  one("host statements that decide nothing", 250, (count) =>
    program(kernel("k", "a[i] = 1;"), [
      "float n = 0;",
      ...times(count, (at) => `n += ${at}.0f * n; printf("%f", n);`),
      "k<<<32, 256>>>(d);",
    ]),
  ),
  one("host variables", 250, (count) =>
    program(kernel("k", "a[i] = 1;"), [
      ...times(count, (at) => `int v${at} = ${at === 0 ? "1" : `v${at - 1} + 1`};`),
      `k<<<v${count - 1} % 64 + 1, 256>>>(d);`,
    ]),
  ),
  one("trips of a host loop", 5000, (count) =>
    program(kernel("k", "a[i] = 1;"), [
      `int n = 0; for (int j = 0; j < ${count}; j++) n = (n * 5 + j) % 61;`,
      "k<<<n + 1, 256>>>(d);",
    ]),
  ),
  one("trips of a launching loop", 25, (count) =>
    program(
      "__global__ void k(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }",
      [`for (int j = 1; j <= ${count}; j++) k<<<j, 256>>>(d, j * 200);`],
    ),
  ),
  one("host conditions nobody knows", 5, (count) =>
    program(kernel("k", "a[i] = 1;"), [
      "int n = 1;",
      ...times(count, (at) => `if (x(${at})) { n += ${at}; k<<<n, 256>>>(d); }`),
    ]),
  ),
  one("host functions", 100, (count) =>
    program(
      kernel("k", "a[i] = 1;"),
      ["f0(d);"],
      [
        ...times(count, (at) =>
          at === count - 1
            ? `void f${at}(float* d) { k<<<32, 256>>>(d); }`
            : `void f${at}(float* d) { f${at + 1}(d); }`,
        ),
      ],
    ),
  ),
  one("members of a record", 50, (count) =>
    program(
      `struct S { ${times(count, (at) => `float m${at};`).join(" ")} };\n__global__ void k(S* s, float* a) { int i = threadIdx.x; ${times(count, (at) => `s[i].m${at} += 1;`).join(" ")} }`,
      ["S* s; cudaMalloc(&s, sizeof(S) * 256); k<<<1, 256>>>(s, d);"],
    ),
  ),
  one("cases of a switch", 50, (count) =>
    program(
      kernel(
        "k",
        `switch (i % ${count}) { ${times(count, (at) => `case ${at}: a[i * ${(at % 5) + 1}] = ${at}; break;`).join(" ")} }`,
      ),
      ["k<<<32, 256>>>(d);"],
    ),
  ),
  one("comments", 1000, (count) =>
    program(
      `${times(count, (at) => `// ${at} is not for the compiler`).join("\n")}\n${kernel("k", "a[i] = 1;")}`,
      ["k<<<32, 256>>>(d);"],
    ),
  ),
];

const indirect =
  "__global__ void k(float* a, const int* e) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[e[i]] += 1; }";

function filled(count: number, statement: string): readonly string[] {
  return [
    `int* h = (int*)malloc(${count} * sizeof(int)); for (int j = 0; j < ${count}; j++) ${statement}`,
    `int* e; cudaMalloc(&e, ${count} * sizeof(int)); cudaMemcpy(e, h, ${count} * sizeof(int), cudaMemcpyHostToDevice);`,
  ];
}

function one(name: string, from: number, text: (count: number) => string): Axis {
  return { name, from, files: (count) => ({ "/w/main.cu": text(count) }) };
}

function kernel(name: string, body: string): string {
  return `__global__ void ${name}(float* a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ${body}\n}`;
}

function program(device: string, host: readonly string[], functions: readonly string[] = []): string {
  const before = functions.slice().reverse().join("\n");
  return `#include <cstdio>\n#include <cstdlib>\n${device}\n${before}\nint main() {\n  float* d;\n  cudaMalloc(&d, 1 << 24);\n  ${host.join("\n  ")}\n  cudaDeviceSynchronize();\n  return 0;\n}\n`;
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
