// The shapes of blocks that are assumed for a kernel, read off how it uses its threads.
import type { FunctionId, Program } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { forEachStatement } from "../slice/walk.ts";

export type Shape = readonly [number, number, number];

const linearShapes: readonly Shape[] = [32, 64, 128, 256, 512, 1024].map((x) => [x, 1, 1] as const);
const planeShapes: readonly Shape[] = [
  [32, 8, 1],
  [16, 16, 1],
  [8, 32, 1],
  [32, 32, 1],
];
const solidShapes: readonly Shape[] = [
  [32, 4, 2],
  [8, 8, 8],
  [16, 8, 4],
  [8, 8, 4],
];

/** For kernels with an array in shared memory that has fewer elements than the usual blocks have threads. */
const smallPlane: Shape = [8, 8, 1];
const smallSolid: Shape = [4, 4, 4];
const smallThreads = 64;

/**
 * The blocks that are assumed for a kernel: the usual ones for the axes of threadIdx that it uses, the likeliest first.
 * A two-dimensional tile suggests its own shape (without padding) and rules out larger ones; launch bounds rule out too.
 */
export function candidateShapes(program: Program, kernel: FunctionId): readonly Shape[] {
  const use = useOfThreads(program, kernel);
  const usual = usualShapes(use);
  const suggested = use.tiles.flatMap((tile) =>
    use.y ? [[tile.x, tile.y, 1] as const] : [[tile.x, 1, 1] as const],
  );
  const limit = use.maxThreads ?? 1024;
  const bound: Shape[] = !use.y && !use.z && use.maxThreads !== null ? [[use.maxThreads, 1, 1]] : [];
  const fits = ([x, y, z]: Shape) => x * y * z <= limit;
  const insideTiles = ([x, y]: Shape) => !use.y || use.tiles.every((tile) => x <= tile.x && y <= tile.y);
  const shapes = distinct([...suggested, ...bound, ...usual.filter(insideTiles)].filter(fits));
  if (shapes.length > 0) return shapes;
  return distinct(usual.filter(fits)).length > 0 ? usual.filter(fits) : [[limit, 1, 1]];
}

function usualShapes({ y, z, fewestElements }: ThreadUse): readonly Shape[] {
  if (!y && !z) return linearShapes;
  const usual = z ? solidShapes : planeShapes;
  const threads = Math.min(...usual.map(([x, y, z]) => x * y * z));
  return fewestElements >= threads ? usual : [...usual, z ? smallSolid : smallPlane];
}

function distinct(shapes: readonly Shape[]): Shape[] {
  return [...new Map(shapes.map((shape) => [shape.join(), shape])).values()];
}

interface ThreadUse {
  y: boolean;
  z: boolean;
  readonly tiles: { readonly x: number; readonly y: number }[];
  maxThreads: number | null;
  /** Of its arrays in shared memory that have one for each thread of a small block, or more. */
  fewestElements: number;
}

/** How a kernel, with the device functions that it calls, uses its threads. */
function useOfThreads(program: Program, kernel: FunctionId): ThreadUse {
  const use: ThreadUse = { y: false, z: false, tiles: [], maxThreads: null, fewestElements: Infinity };
  const seen = new Set<FunctionId>([kernel]);
  for (const id of seen) {
    const definition = program.functionOf(id);
    if (definition === null || seen.size > 500) continue;
    if (id === kernel) use.maxThreads = definition.maxThreadsPerBlock;
    forEachStatement(
      definition.body,
      (statement) => {
        if (statement.kind !== "declare" || statement.variable.storage !== "shared") return;
        addTile(statement.variable.type, use);
        const elements = elementsOf(statement.variable.type);
        if (elements >= smallThreads) use.fewestElements = Math.min(use.fewestElements, elements);
      },
      (expression) => {
        if (expression.kind === "call" || expression.kind === "function") seen.add(expression.callee);
        if (expression.kind !== "intrinsic") return;
        if (expression.name === "threadIdx.y" || expression.name === "blockDim.y") use.y = true;
        if (expression.name === "threadIdx.z" || expression.name === "blockDim.z") use.z = true;
      },
    );
  }
  return use;
}

function elementsOf(type: Type): number {
  return type.kind === "array" ? type.count * elementsOf(type.element) : 1;
}

/** A tile [16..64][16..64+pad] has rows of as many elements as threads in x, but for a padding of up to 4. */
function addTile(type: Type, use: ThreadUse): void {
  if (type.kind !== "array" || type.element.kind !== "array" || type.element.element.kind === "array") return;
  const x = type.element.count - (type.element.count % 8);
  const isPadded = type.element.count - x <= 4;
  const isTile = type.count % 8 === 0 && type.count >= 8 && x >= 8 && isPadded && x * type.count <= 1024;
  if (isTile) use.tiles.push({ x, y: type.count });
}
