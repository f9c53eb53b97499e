// Data in bulk that the host's code fills, as far as kernels read them: which launches find what in memory, and what kernels leave of it.
import type { FunctionDefinition, FunctionId, Program } from "../../ir/function.ts";
import type { Loop } from "../../ir/statement.ts";
import type { KernelUses } from "../contents/parameter-use.ts";
import type { Slice } from "../slice/slice.ts";
import { CompiledLoops, type LoopEnd, type Surroundings } from "./compiled/loops.ts";
import { GivenUp } from "./compiled/run.ts";
import type { HostObject } from "./object.ts";
import { isScalarValue, type Value } from "./value.ts";

export class FollowedData {
  hasGivenUp = false;
  private readonly uses: KernelUses;
  private readonly surroundings: Surroundings;
  private readonly loops: CompiledLoops;

  constructor(program: Program, slice: Slice, uses: KernelUses, surroundings: Surroundings) {
    this.uses = uses;
    this.surroundings = surroundings;
    this.loops = new CompiledLoops(program, slice, surroundings, "unknown");
  }

  /** Runs a loop of `definition`; null where it cannot be run as a whole. */
  runLoop(definition: FunctionDefinition, loop: Loop): LoopEnd | "given up" | null {
    try {
      return this.loops.execute(definition, loop);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.hasGivenUp = true;
      return "given up";
    }
  }

  /** Objects that a launch finds as the host left them, and that its kernel leaves as they are, but for floating-point members. */
  given(kernel: FunctionId, values: readonly Value[]): ReadonlySet<HostObject> {
    const { parameters } = this.uses.of(kernel);
    const given = new Set<HostObject>();
    for (const [index, value] of values.entries())
      if (this.uses.isRead(kernel, index)) addPointedTo(given, value);
    const changed = new Set<HostObject>();
    for (const [index, value] of values.entries())
      if (parameters[index]?.isChanged !== false) addReachable(changed, value);
    for (const object of changed) given.delete(object);
    return given;
  }

  /** Forgets what a kernel may change; null is one that is not known. */
  expose(kernel: FunctionId | null, values: readonly Value[]): void {
    const use = kernel === null ? null : this.uses.of(kernel);
    const written = new Set<HostObject>();
    for (const [index, value] of values.entries())
      if (use === null || use.parameters[index]?.isWritten !== false) addReachable(written, value);
    const { memory } = this.surroundings;
    for (const object of use?.writesAnywhere === false ? written : memory.followed)
      if (object.data !== null) memory.forget(object, "a kernel may have changed it");
  }
}

function addPointedTo(found: Set<HostObject>, value: Value): void {
  if (isScalarValue(value)) return;
  if (value.kind === "pointer") found.add(value.object);
  else if (value.kind === "record") for (const cell of value.cells.values()) addPointedTo(found, cell.value);
}

function addReachable(found: Set<HostObject>, value: Value): void {
  const direct = new Set<HostObject>();
  addPointedTo(direct, value);
  for (const object of direct) {
    if (found.has(object)) continue;
    found.add(object);
    for (const cell of object.cells.values()) addReachable(found, cell.value);
    const { data } = object;
    if (data?.holdsPointers)
      for (const each of data.values) if (each !== undefined) addReachable(found, each);
  }
}
