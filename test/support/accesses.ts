// The accesses of a kernel: those that codegen leaves, and those that nvcc made, as lines of text to compare.
import { forEachExpressionOf, rootOf } from "../../server/src/codegen/walks/walk.ts";
import type { FunctionDefinition, Program } from "../../server/src/ir/function.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { positionAt } from "../../server/src/text/source.ts";

/** One kernel, as scripts/record-truth.py and scripts/read-sass.py write it. */
export interface CompiledKernel {
  readonly case: string;
  readonly kernel: string;
  readonly sites: readonly {
    readonly line: number;
    readonly file: string;
    readonly sass: string;
    readonly bits: number;
    /** File and line of the calls that it was inlined through; scripts/read-sass.py alone knows them. */
    readonly callers?: readonly (readonly [file: string, line: number])[];
  }[];
}

/** Line, operation and width of each access in the program's own text, sorted. */
export function measured(row: CompiledKernel): readonly string[] {
  const found = new Set<string>();
  for (const { line, file, sass, bits } of row.sites) {
    if (file !== row.case) continue;
    const operation = sass.startsWith("ST") ? "store" : sass.startsWith("LD") ? "load" : "atomic";
    found.add(`${line} ${operation} ${widthOf(sass) ?? bits}`);
  }
  return [...found].sort();
}

/** Nsight Compute's access size is wrong below 32 bits; the instruction names its own. */
function widthOf(sass: string): number | null {
  const narrow = /\.[US](8|16)\b/.exec(sass)?.[1];
  return narrow ? Number(narrow) : null;
}

/** The same of what codegen leaves in a kernel. */
export function predicted(definition: FunctionDefinition, starts: readonly number[]): readonly string[] {
  const found = new Set<string>();
  forEachExpressionOf(definition.body, (node) => {
    if (node.kind === "intrinsic" && node.site && node.name.startsWith("atomic"))
      found.add(`${positionAt(starts, node.site.range.start).line} atomic ${(sizeOf(node.type) ?? 0) * 8}`);
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
      return;
    const root = rootOf(node.place.pointer)?.place;
    if (
      root?.kind === "variable" &&
      !["shared", "dynamic-shared", "device", "device-constant"].includes(root.variable.storage)
    )
      return;
    const { line } = positionAt(starts, node.site.range.start);
    const bytes = node.site.wideBytes ?? sizeOf(node.place.type) ?? 0;
    found.add(`${line} ${node.kind === "load" ? "load" : "store"} ${bytes * 8}`);
  });
  return [...found].sort();
}

/** The kernel that codegen makes of the instance; null where it is not found. */
export function instantiated(program: Program, row: CompiledKernel): FunctionDefinition | null {
  const name = row.kernel
    .replace(/^void /, "")
    .replace(/[<(].*$/, "")
    .replace(/^.*::/, "");
  const listed = /<(.*)>\(/.exec(row.kernel)?.[1];
  const templateArguments = listed
    ? argumentsIn(listed).map((one) => one.replace(/^\([\w: ]+\)/, "").replace(/(\d)u?l*$/, "$1"))
    : [];
  const declaration = program.kernels.find((kernel) => kernel.name === name);
  const id = declaration && program.instantiateKernel(declaration, templateArguments);
  return id ? program.functionOf(id) : null;
}

/** Those of a list, whose own may have some again. */
function argumentsIn(listed: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  for (const piece of listed.split(", ")) {
    if (depth > 0) found.push(`${found.pop()}, ${piece}`);
    else found.push(piece);
    depth += piece.split("<").length - piece.split(">").length;
  }
  return found;
}
