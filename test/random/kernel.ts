// Random CUDA kernels with their launch, as text: valid, in bounds, never dividing by zero, and with addresses and conditions
// that depend on the thread and the arguments alone, never on the contents of memory.
import type { FunctionId } from "../../server/src/ir/function.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import { type Random, seededRandom } from "./random.ts";

export interface RandomKernel {
  readonly seed: number;
  /** A whole translation unit: device function, kernel, and a `main` that allocates and launches once. */
  readonly source: string;
  readonly kernel: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** As `instantiateKernel` takes them. */
  readonly templateArguments: readonly string[];
  /** What the launch gives the parameters. */
  readonly arguments: readonly HostValue[];
}

/** The launch in `main`, of the instantiated kernel. */
export function launchOfRandom(random: RandomKernel, kernel: FunctionId): Launch {
  return {
    kernel,
    grid: random.grid,
    block: random.block,
    sharedBytes: 0,
    arguments: random.arguments,
    count: 1,
    origin: { kind: "launch", path: [] },
    assumptions: [],
  };
}

/** The kernel of a seed: always the same. */
export function randomKernel(seed: number): RandomKernel {
  return new Generator(seed).generate();
}

interface Element {
  readonly name: string;
  readonly bytes: number;
  /** An expression of the type made of an integer one, and the other way round. */
  readonly make: (integer: string) => string;
  readonly take: (value: string) => string;
}

const scalar = (name: string, bytes: number): Element => ({
  name,
  bytes,
  make: (integer) => `(${name})(${integer})`,
  take: (value) => `(int)${value}`,
});

const elements: readonly Element[] = [
  scalar("char", 1),
  scalar("unsigned char", 1),
  scalar("short", 2),
  scalar("unsigned short", 2),
  scalar("int", 4),
  scalar("unsigned int", 4),
  scalar("float", 4),
  scalar("float", 4),
  scalar("double", 8),
  scalar("long long", 8),
  {
    name: "float2",
    bytes: 8,
    make: (integer) => `make_float2((float)(${integer}), 2.0f)`,
    take: (value) => `(int)(${value}.x + ${value}.y)`,
  },
  {
    name: "float4",
    bytes: 16,
    make: (integer) => `make_float4((float)(${integer}), 1.0f, 2.0f, 3.0f)`,
    take: (value) => `(int)(${value}.x + ${value}.y + ${value}.z + ${value}.w)`,
  },
];

const blocks: readonly (readonly [number, number, number])[] = [
  [32, 1, 1],
  [64, 1, 1],
  [128, 1, 1],
  [96, 1, 1],
  [48, 1, 1],
  [33, 1, 1],
  [7, 1, 1],
  [32, 4, 1],
  [16, 8, 1],
  [8, 8, 1],
  [16, 16, 1],
  [12, 5, 1],
  [5, 13, 1],
  [32, 2, 2],
  [4, 4, 4],
  [8, 32, 1],
];

const grids: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [2, 1, 1],
  [3, 1, 1],
  [7, 1, 1],
  [2, 2, 1],
  [3, 2, 1],
  [4, 1, 2],
];

/** An array that the kernel can index. */
interface ArrayTarget {
  readonly element: Element;
  /** The expression of the element at a row and a column, both in bounds. */
  readonly at: (row: string, column: string) => string;
  readonly rows: number;
  readonly columns: number;
  readonly isShared: boolean;
}

interface Parameter {
  readonly declaration: string;
  readonly allocate: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** How deep blocks nest, how many statements a block and operators an expression have. */
const deepest = 3;
const mostStatements = 4;
const mostLoops = 2;

class Generator {
  readonly #seed: number;
  readonly #random: Random;
  readonly #block: readonly [number, number, number];
  readonly #grid: readonly [number, number, number];
  readonly #arrays: ArrayTarget[] = [];
  readonly #declarations: string[] = [];
  readonly #parameters: Parameter[] = [];
  #loopDepth = 0;
  /** Integer variables in scope: those that may be assigned, and all that may be read. */
  #writable: string[] = [];
  #readable: string[] = [];
  #nameCount = 0;
  readonly #templateValue: number;
  readonly #n: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#block = this.#random.pick(blocks);
    this.#grid = this.#random.pick(grids);
    this.#templateValue = this.#random.pick([1, 2, 3, 4, 7, 8, 16, 17, 32, 33]);
    this.#n = this.#random.pick([1, 5, 31, 32, 33, 64, 100, 127, 128, 1000]);
  }

  generate(): RandomKernel {
    const arrayCount = this.#random.between(1, 3);
    for (let at = 0; at < arrayCount; at++) this.#addGlobalArray();
    const tileCount = this.#random.between(0, 2);
    for (let at = 0; at < tileCount; at++) this.#addTile();
    this.#readable = ["tx", "ty", "tid", "bid", "n", "T"];
    if (this.#block[2] > 1) this.#readable.push("(int)threadIdx.z");
    const body = this.#body();
    const dimension = (values: readonly number[]) => `dim3(${values.join(", ")})`;
    const source = `${[
      "// A random kernel.",
      this.#helper(),
      "template <int T>",
      `__global__ void kernel(${[...this.#parameters.map((one) => one.declaration), "int n"].join(", ")}) {`,
      ...this.#declarations.map((line) => `  ${line}`),
      "  int tx = threadIdx.x;",
      "  int ty = threadIdx.y;",
      "  int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
      "  int bid = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;",
      ...body.map((line) => `  ${line}`),
      "}",
      "",
      "int main() {",
      ...this.#parameters.map((one) => `  ${one.allocate}`),
      `  kernel<${this.#templateValue}><<<${dimension(this.#grid)}, ${dimension(this.#block)}>>>(${[
        ...this.#parameters.map((one) => one.name),
        String(this.#n),
      ].join(", ")});`,
      "  cudaDeviceSynchronize();",
      "}",
    ].join("\n")}\n`;
    return {
      seed: this.#seed,
      source,
      kernel: "kernel",
      grid: this.#grid,
      block: this.#block,
      templateArguments: [String(this.#templateValue)],
      arguments: [...this.#parameters.map(pointerTo), { kind: "scalar", value: this.#n }],
    };
  }

  /** A function of two integers that has accesses of its own where it is given an array. */
  #helper(): string {
    const operator = this.#random.pick(["^", "+", "&", "|", "-"]);
    const bound = this.#random.pick([3, 8, 17, 32]);
    return [
      "template <typename E>",
      "__device__ E fetch(const E *array, int index, int count) {",
      `  return array[wrap(index ${operator} ${this.#random.between(0, 40)}, count)];`,
      "}",
      `__device__ int twist(int a, int b) {`,
      `  if (a > b + ${this.#random.between(0, 20)}) return a ${operator} b;`,
      `  return b * ${this.#random.between(1, 9)} + a % ${bound};`,
      "}",
    ]
      .join("\n")
      .replace(
        /^/,
        "__device__ __forceinline__ int wrap(int value, int count) {\n  int rest = value % count;\n  return rest < 0 ? rest + count : rest;\n}\n",
      );
  }

  #addGlobalArray(): void {
    const element = this.#random.pick(elements);
    const at = this.#parameters.length;
    const rows = this.#random.pick([1, 8, 33, 64]);
    const columns = this.#random.pick([32, 64, 100, 128, 129]);
    const pitch = columns + this.#random.pick([0, 0, 1, 4, 7]);
    const name = `g${at}`;
    this.#parameters.push({
      declaration: `${element.name} *${name}`,
      allocate: `${element.name} *${name}; cudaMalloc(&${name}, ${rows * pitch} * sizeof(${element.name}));`,
      name,
      sizeBytes: rows * pitch * element.bytes,
    });
    this.#arrays.push({
      element,
      at: (row, column) => `${name}[(${row}) * ${pitch} + (${column})]`,
      rows,
      columns,
      isShared: false,
    });
  }

  #addTile(): void {
    const element = this.#random.pick(elements);
    const name = `s${this.#declarations.length}`;
    const isFlat = this.#random.oneIn(3);
    const rows = isFlat ? 1 : this.#random.pick([4, 16, 32, 33]);
    const columns = this.#random.pick([16, 17, 32, 33, 34, 36, 40]);
    const extent = isFlat ? `[${columns}]` : `[${rows}][${columns}]`;
    this.#declarations.push(`__shared__ ${element.name} ${name}${extent};`);
    this.#arrays.push({
      element,
      at: (row, column) => (isFlat ? `${name}[${column}]` : `${name}[${row}][${column}]`),
      rows,
      columns,
      isShared: true,
    });
  }

  #body(): string[] {
    const lines: string[] = [];
    for (let at = 0; at < 2; at++) lines.push(...this.#declareVariable());
    const isLeaving = this.#random.oneIn(4);
    if (isLeaving) lines.push(`if (${this.#condition()}) return;`);
    const parts = this.#random.between(1, 3);
    for (let at = 0; at < parts; at++) {
      lines.push(...this.#statements(0));
      // All threads must meet, so that none may have left.
      if (!isLeaving && this.#random.oneIn(2)) lines.push("__syncthreads();");
    }
    lines.push(...this.#access());
    return lines;
  }

  #statements(depth: number): string[] {
    const [writable, readable] = [this.#writable, this.#readable];
    [this.#writable, this.#readable] = [[...writable], [...readable]];
    const count = this.#random.between(1, mostStatements - depth);
    const lines: string[] = [];
    for (let at = 0; at < count; at++) lines.push(...this.#statement(depth));
    [this.#writable, this.#readable] = [writable, readable];
    return lines;
  }

  #statement(depth: number): string[] {
    const kind = this.#random.between(0, depth >= deepest ? 5 : 10);
    switch (kind) {
      case 0:
        return this.#declareVariable();
      case 1:
        return this.#writable.length === 0
          ? this.#access()
          : [`${this.#random.pick(this.#writable)} = ${this.#integer(2)};`];
      case 2:
      case 3:
      case 4:
      case 5:
        return this.#access();
      case 6:
        return [`if (${this.#condition()}) {`, ...indent(this.#statements(depth + 1)), "}"];
      case 7:
        return [
          `if (${this.#condition()}) {`,
          ...indent(this.#statements(depth + 1)),
          "} else {",
          ...indent(this.#statements(depth + 1)),
          "}",
        ];
      case 8:
        return this.#switch(depth);
      default:
        return this.#loopDepth < mostLoops ? this.#loop(depth) : this.#access();
    }
  }

  #switch(depth: number): string[] {
    const lines = [`switch (wrap(${this.#integer(1)}, 4)) {`];
    for (const label of ["case 0:", "case 1: case 2:", "default:"]) {
      const isFalling = label !== "default:" && this.#random.oneIn(3);
      lines.push(`  ${label} {`, ...indent(indent(this.#statements(depth + 1))));
      lines.push(isFalling ? "  }" : "    break;", ...(isFalling ? [] : ["  }"]));
    }
    return [...lines, "}"];
  }

  /** Loops whose trips are known, depend on arguments, or differ from lane to lane; all end within a few rounds. */
  #loop(depth: number): string[] {
    const counter = this.#name("i");
    const header = this.#random.pick([
      () => `for (int ${counter} = 0; ${counter} < ${this.#random.between(1, 9)}; ${counter}++) {`,
      () => `for (int ${counter} = 0; ${counter} < T; ${counter} += ${this.#random.between(2, 9)}) {`,
      () =>
        `for (int ${counter} = tid; ${counter} < ${this.#random.between(1, 300)}; ${counter} += ${this.#threads()}) {`,
      () => `for (int ${counter} = 0; ${counter} < (tx & 7); ${counter}++) {`,
      () => `for (int ${counter} = ${this.#random.pick([8, 16, 32])}; ${counter} > 0; ${counter} >>= 1) {`,
      () => `for (int ${counter} = 0; ${counter} < wrap(${this.#integer(1)}, 6); ${counter}++) {`,
    ])();
    const unroll =
      this.#random.oneIn(4) && header.includes("= 0;") && /< \d/.test(header) ? ["#pragma unroll"] : [];
    const readable = this.#readable;
    // The counter is read but not written; a bound that reads a variable which the body changes stays bounded by `wrap`.
    this.#readable = [...readable, counter];
    this.#loopDepth++;
    const body = this.#statements(depth + 1);
    this.#loopDepth--;
    if (this.#random.oneIn(5)) {
      const leave = this.#random.pick(["break", "continue"]);
      body.splice(this.#random.between(0, 1), 0, `if (${this.#condition()}) ${leave};`);
    }
    this.#readable = readable;
    return [...unroll, header, ...indent(body), "}"];
  }

  #threads(): number {
    return this.#block[0] * this.#block[1] * this.#block[2];
  }

  #declareVariable(): string[] {
    const name = this.#name("v");
    const line = `int ${name} = ${this.#integer(2)};`;
    this.#writable.push(name);
    this.#readable.push(name);
    return [line];
  }

  #name(prefix: string): string {
    return `${prefix}${this.#nameCount++}`;
  }

  /** A load, a store, or both. Loaded values reach memory, never an address or a condition. */
  #access(): string[] {
    const target = this.#random.pick(this.#arrays);
    const place = this.#place(target);
    if (this.#random.oneIn(3)) return [`${place} = ${target.element.make(this.#integer(2))};`];
    const source = this.#random.pick(this.#arrays);
    const value = this.#loaded(source);
    if (source.element.name === target.element.name) return [`${place} = ${value};`];
    const loaded = this.#name("x");
    return [
      `${source.element.name} ${loaded} = ${value};`,
      `${place} = ${target.element.make(source.element.take(loaded))};`,
    ];
  }

  #loaded(source: ArrayTarget): string {
    if (!source.isShared && this.#random.oneIn(4)) {
      return `fetch(&${source.at("0", "0")}, ${this.#integer(1)}, ${source.columns})`;
    }
    return this.#place(source);
  }

  #place(target: ArrayTarget): string {
    const row = target.rows === 1 ? "0" : this.#index(target.rows);
    return target.at(row, this.#index(target.columns));
  }

  /** An integer expression from 0 to `count` - 1, in the ways that real kernels keep in bounds. */
  #index(count: number): string {
    const isPowerOfTwo = (count & (count - 1)) === 0;
    const ways: (() => string)[] = [
      () => `wrap(${this.#integer(2)}, ${count})`,
      () => `tid % ${count}`,
      () => `tid / ${this.#random.between(1, 8)} % ${count}`,
      () => `min(max(${this.#integer(1)}, 0), ${count - 1})`,
      () => `(unsigned)(${this.#integer(2)}) % ${count}u`,
      () => String(this.#random.between(0, count - 1)),
    ];
    if (isPowerOfTwo)
      ways.push(
        () => `(${this.#integer(2)}) & ${count - 1}`,
        () => `(tx ^ ty) & ${count - 1}`,
      );
    if (this.#block[0] <= count)
      ways.push(
        () => "tx",
        () => "tx",
        () => "threadIdx.x",
      );
    if (this.#block[1] <= count)
      ways.push(
        () => "ty",
        () => "threadIdx.y",
      );
    if (this.#block[0] * 4 <= count) ways.push(() => `tx * 4 + ${this.#random.between(0, 3)}`);
    return this.#random.pick(ways)();
  }

  /** An int expression; division and shifts have counts that C++ defines, and nothing overflows in a way that it does not. */
  #integer(depth: number): string {
    if (depth === 0) {
      return this.#random.oneIn(4) ? String(this.#random.between(0, 66)) : this.#random.pick(this.#readable);
    }
    const left = this.#integer(depth - 1);
    const right = this.#integer(depth - 1);
    switch (this.#random.between(0, 12)) {
      case 0:
      case 1:
        return `(int)((unsigned)(${left}) + (unsigned)(${right}))`;
      case 2:
        return `(int)((unsigned)(${left}) - (unsigned)(${right}))`;
      case 3:
        return `(int)((unsigned)(${left}) * ${this.#random.between(1, 40)}u)`;
      case 4:
        return `((${left}) / ${this.#random.between(1, 40)})`;
      case 5:
        return `((${left}) % ${this.#random.between(1, 40)})`;
      case 6:
        return `((${left}) ^ (${right}))`;
      case 7:
        return `((${left}) & ${this.#random.pick([1, 3, 7, 15, 31, 12, 24, 28])})`;
      case 8:
        return `((${left}) >> ${this.#random.between(0, 6)})`;
      case 9:
        return `(int)((unsigned)(${left}) << ${this.#random.between(0, 6)})`;
      case 10:
        return `(${this.#condition()} ? (${left}) : (${right}))`;
      case 11:
        return `(int)((unsigned)twist((${left}) & 255, (${right}) & 255))`;
      default:
        return `((${left}) | (${right}))`;
    }
  }

  #condition(): string {
    const comparison = this.#random.pick(["<", "<=", ">", ">=", "==", "!="]);
    const ways = [
      () => `tx ${comparison} ${this.#random.between(0, 40)}`,
      () => `tid ${comparison} n`,
      () => `(tx & ${this.#random.pick([1, 2, 3, 7])}) ${comparison} ${this.#random.between(0, 4)}`,
      () => `bid ${comparison} ${this.#random.between(0, 3)}`,
      () => `${this.#random.pick(this.#readable)} ${comparison} ${this.#random.between(-5, 70)}`,
      () => `T ${comparison} ${this.#random.between(1, 33)}`,
      () =>
        `tx ${comparison} ${this.#random.between(0, 40)} ${this.#random.pick(["&&", "||"])} ty < ${this.#random.between(0, 9)}`,
      () => `!(tid % ${this.#random.between(2, 9)})`,
    ];
    return this.#random.pick(ways)();
  }
}

function pointerTo(parameter: Parameter, index: number): HostValue {
  const { name, sizeBytes } = parameter;
  return {
    kind: "pointer",
    allocation: { id: index + 1, name, sizeBytes, alignmentBytes: 256 },
    offsetBytes: 0,
  };
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line.startsWith("#") ? line : `  ${line}`));
}
