// Every request that a block makes at one access, by the plain simulator: for the panel's pickers and for what each lane computes.

import type { AccessProfile } from "../evaluate/profile.ts";
import type { Program } from "../ir/function.ts";
import type { Variable } from "../ir/variable.ts";
import type { Launch } from "../launches/launch.ts";
import type { AccessContext, KernelName } from "../rules/finding.ts";
import { registerOf } from "../simulator/function.ts";
import { simulate } from "../simulator/simulate.ts";
import { visitStatements } from "../simulator/walk.ts";
import type { SourceRange } from "../text/source.ts";

/** One request, with what the variables that the access names hold in each lane. */
export interface TracedRequest {
  readonly warp: number;
  /** How often the warp made a request here before. */
  readonly trip: number;
  readonly block: readonly [number, number, number];
  /** From the start of the object, or of the block's shared memory; null where the lane is inactive. */
  readonly laneAddresses: readonly (number | null)[];
  /** By the user's name: `row`, `threadIdx.x`. Of what is in no register, or not known, there is nothing. */
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** As written, or as the compiler would have it access memory: merged accesses are in that alone, and users' names in the other. */
export type CodeForm = "written" | "generated";

/** The program that a launch starts. */
export type ProgramOf = (launch: Launch, kernel: KernelName, form: CodeForm) => Program | null;

/**
 * The requests of `block` at `access`. Only of an exact access: where data decide, made-up data would make up the requests. Empty where the
 * simulator cannot run the launch, or the code has no such access. Of generated code the lanes' variables are not told: its copies of them go
 * by the same names.
 */
export function traceAccess(
  programOf: ProgramOf,
  { launch, kernel, access }: Pick<AccessContext, "launch" | "kernel" | "access">,
  block: readonly [number, number, number],
  form: CodeForm,
): TracedRequest[] {
  if (access.verdict.kind !== "exact" || access.misaligned !== null) return [];
  const program = programOf(launch, kernel, form);
  if (program === null) return [];
  const names = form === "written" ? namesIn(access.expression) : new Set<string>();
  const variables = variablesNamed(program, launch, names);
  const trips = new Map<number, number>();
  const requests: TracedRequest[] = [];
  simulate(program, launch, {
    blocks: [block],
    maxSteps,
    onRequest: (request, frame) => {
      if (requests.length >= mostRequests || !isOf(request, access)) return;
      const { warp, mask } = request;
      const trip = trips.get(warp) ?? 0;
      trips.set(warp, trip + 1);
      const registers = variables.flatMap(({ name, id }) => {
        const lanes = registerOf(frame, id, mask);
        return lanes === null ? [] : [[name, lanes.map(Number)] as const];
      });
      requests.push({
        warp,
        trip,
        block,
        laneAddresses: request.laneAddresses.map((address, lane) => ((mask >>> lane) & 1 ? address : null)),
        values: new Map([...registers, ...builtIns(launch, block, warp)]),
      });
    },
  });
  return requests;
}

/** A panel must answer at once: a block of 1,024 threads takes some tens of thousands of steps. */
const maxSteps = 300_000;
const mostRequests = 2048;

function isOf(
  request: Pick<AccessProfile, "operation" | "bytes"> & { readonly stack: readonly SourceRange[] },
  access: AccessProfile,
): boolean {
  return (
    request.operation === access.operation &&
    request.bytes === access.bytes &&
    request.stack.length === access.stack.length &&
    request.stack.every((step, index) => isSame(step, access.stack[index]))
  );
}

function isSame(a: SourceRange, b: SourceRange | undefined): boolean {
  return b !== undefined && a.file === b.file && a.start === b.start && a.end === b.end;
}

function namesIn(expression: string): Set<string> {
  return new Set(expression.match(/(?<![.\w])[A-Za-z_]\w*/g) ?? []);
}

/** Variables of the kernel and of what it calls; of several of one name, those that the function at work has are asked for. */
function variablesNamed(program: Program, launch: Launch, names: ReadonlySet<string>): Variable[] {
  const found: Variable[] = [];
  const note = (variable: Variable) => {
    if (names.has(variable.name) && variable.storage === "automatic") found.push(variable);
  };
  const seen = new Set([launch.kernel]);
  for (const id of seen) {
    const definition = program.functionOf(id);
    if (definition === null || seen.size > mostFunctions) continue;
    definition.parameters.forEach(note);
    visitStatements(definition.body, {
      statement: (statement) => {
        if (statement.kind === "declare") note(statement.variable);
      },
      expression: (expression) => {
        if (expression.kind === "call") seen.add(expression.callee);
      },
    });
  }
  return found;
}

const mostFunctions = 200;

function builtIns(
  { block: shape, grid }: Launch,
  block: readonly [number, number, number],
  warp: number,
): [string, readonly number[]][] {
  const [width, height] = shape;
  const threads = Array.from({ length: 32 }, (_, lane) => warp * 32 + lane);
  const uniform = (value: number) => threads.map(() => value);
  const axes = ["x", "y", "z"] as const;
  const thread = {
    x: threads.map((each) => each % width),
    y: threads.map((each) => Math.floor(each / width) % height),
    z: threads.map((each) => Math.floor(each / (width * height))),
  };
  return axes.flatMap((axis, index): [string, readonly number[]][] => [
    [`threadIdx.${axis}`, thread[axis]],
    [`blockIdx.${axis}`, uniform(block[index] ?? 0)],
    [`blockDim.${axis}`, uniform(shape[index] ?? 1)],
    [`gridDim.${axis}`, uniform(grid[index] ?? 1)],
  ]);
}
