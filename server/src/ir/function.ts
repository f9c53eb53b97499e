// Functions and programs of the IR. A function is lowered once for each distinct list of template arguments.

import type { SourceRange } from "../text/source.ts";
import type { BuildMacro, CompilerDoubt, Convention } from "./assumption.ts";
import type { AccessSite, Expression } from "./expression.ts";
import type { If, Loop, Statement, Switch } from "./statement.ts";
import type { Type } from "./type.ts";
import type { Variable } from "./variable.ts";

/**
 * Names one instantiation within a program, readable: `ns::transpose<32,8>(float*,int)`. Behind an `@` stands what tells functions of several
 * translation units apart, for nobody to see.
 */
export type FunctionId = string & { readonly brand: "FunctionId" };

/** The id as people may see it. */
export function readableName(id: FunctionId): string {
  return id.replace(/@\d+/g, "");
}

export interface FunctionDefinition {
  readonly id: FunctionId;
  /** Unqualified, without template arguments: `transpose`. */
  readonly name: string;
  /** As a demangler prints them: types by name, values as numbers, booleans as 1 and 0. */
  readonly templateArguments: readonly string[];
  /** `templateParameterNames[i]` was bound to `templateArguments[i]`: for texts such as `T=float`. */
  readonly templateParameterNames: readonly string[];
  readonly kind: "kernel" | "device" | "host" | "host-device";
  /** It stands for a function of a library: each call of it is a matter of its own. */
  readonly isLibrary?: true;
  readonly result: Type;
  /** References are pointers, `this` comes first. */
  readonly parameters: readonly Variable[];
  readonly body: readonly Statement[];
  /** `__launch_bounds__(maxThreads, …)`. */
  readonly maxThreadsPerBlock: number | null;
  /** The whole definition, and the name alone. */
  readonly range: SourceRange;
  readonly nameRange: SourceRange;
  /** Why the body could not be lowered in part or whole: syntax errors, unknown types. Empty when all was understood. */
  readonly gaps: readonly string[];
  /** What was taken by convention, each name once. */
  readonly assumptions: readonly (Convention | BuildMacro)[];
  /** What the text tells the compiler that is not followed. */
  readonly doubts?: readonly CompilerDoubt[];
  /** As the compiler has it: accesses of which it may make more or fewer, and why. */
  readonly siteDoubts?: ReadonlyMap<AccessSite, CompilerDoubt>;
  /** Of a kernel as the compiler has it: neighbouring accesses that an alignment unknown to it keeps apart. */
  readonly neighbourRows?: readonly NeighbourRow[];
  /** As the compiler has it: copies past L1 on each side of branches of which it may make predication; warps that go another way may execute them with no lane. */
  readonly predicatedCopies?: ReadonlyMap<If | Switch, readonly (readonly AccessSite[])[]>;
  /** As the compiler has it: where lanes that part in a loop may meet in other trips than the text says, with the accesses of the loop. */
  readonly lanesPartAt?: ReadonlyMap<Loop | If, readonly AccessSite[]>;
  /** As the compiler has it: of a function with calls in it all accesses, which lanes may execute apart where they come to a recursion by themselves. */
  readonly sitesAroundCalls?: readonly AccessSite[];
  readonly callsItself?: boolean;
  /** Of a kernel as the compiler has it: by the id of an array in static shared memory, where it begins in the block's. */
  readonly sharedOffsets?: ReadonlyMap<number, number>;
  /** As the compiler has it: where lanes part that wait for an atomic, with the accesses that they may execute apart. */
  readonly lanesWaitAt?: ReadonlyMap<Loop | If, readonly AccessSite[]>;
}

/** The gap of a function that no compiler takes. */
export function failedAssertion(condition: string): string {
  return `static_assert(${condition}) fails`;
}

/** The assertion that keeps the compiler from taking the function with its template arguments, as far as can be told; null where none does. */
export function failedAssertionOf({ gaps }: FunctionDefinition): string | null {
  return gaps.find((gap) => gap.startsWith("static_assert(") && gap.endsWith(" fails")) ?? null;
}

/** Accesses of straight-line code, side by side in memory, with nothing between that parts them. */
export interface NeighbourRow {
  readonly operation: "load" | "store";
  /** The kernel's parameter that they are reached through: where it is aligned to `vectorBytes`, so is the first of them. */
  readonly base: string;
  readonly vectorBytes: number;
  readonly elementBytes: number;
  /** In the order of their addresses; whole vectors. One site stands several times where a loop was unrolled. */
  readonly sites: readonly AccessSite[];
}

/** A kernel as written, before anybody instantiates it. */
export interface KernelDeclaration {
  readonly name: string;
  readonly qualifiedName: string;
  readonly templateParameters: readonly TemplateParameter[];
  readonly range: SourceRange;
  readonly nameRange: SourceRange;
  /** Texts of `// warplint: launch(...)` comments directly above the kernel, each with its place. */
  readonly annotations: readonly { readonly text: string; readonly range: SourceRange }[];
}

export interface TemplateParameter {
  readonly name: string;
  readonly kind: "type" | "value" | "template";
  readonly isPack: boolean;
  /** What it is where nobody gives it, as written; null where somebody has to. */
  readonly defaultText: string | null;
  /** Type of a value parameter, as written; null otherwise. */
  readonly typeText: string | null;
  /** What a type's values do: an `index` chooses places, and so is an integer; an `object` is called or has members, and so is no number. */
  readonly typeRole: "index" | "object" | "value";
}

/** Stands in front of a template argument that is a type of which nothing is known. */
export const unknownTypeMark = "?";

/** A template of host code, of a function or of a class, that launches. */
export interface HostTemplate {
  readonly name: string;
  readonly templateParameters: readonly TemplateParameter[];
  /** The functions that launch, for arguments as a user would write them; none where they do not fit. */
  instantiate(templateArguments: readonly string[]): readonly FunctionId[];
}

/** A definition that begins with `__global__` and is none for the grammar. */
export interface UnreadKernel {
  /** Null where not even that can be told. */
  readonly name: string | null;
  /** `__global__`. */
  readonly range: SourceRange;
  /** What keeps it from being read, in words: "a { is not closed". */
  readonly reason: string;
}

/** Everything known of one translation unit. Functions are lowered when first asked for and kept. */
export interface Program {
  /** The lowered function, or null where no such instantiation was made. */
  functionOf(id: FunctionId): FunctionDefinition | null;
  /** Where it runs, said without lowering it; null where no such instantiation was made. */
  kindOf(id: FunctionId): FunctionDefinition["kind"] | null;
  /** Every `__global__` function that has a body, in the order of the text. */
  readonly kernels: readonly KernelDeclaration[];
  /** Kernels of which the text does not parse: they are in none of the lists. */
  readonly unreadKernels: readonly UnreadKernel[];
  /** Whether device code is linked from several units (`-rdc=true`): only then does the linker say where shared memory lies. */
  readonly hasRelocatableDeviceCode: boolean;
  /** Instantiates a kernel with template arguments as a user would write them (`["float", "32"]`); null where they do not fit. */
  instantiateKernel(kernel: KernelDeclaration, templateArguments: readonly string[]): FunctionId | null;
  /** The instances of a kernel that the text asks for without launching them: `template __global__ void k<float>(float*);`. */
  explicitInstances(kernel: KernelDeclaration): readonly FunctionId[];
  /**
   * Host functions to start from, in order: `main` alone if there is one, else those host functions that lead to a launch and that no other of
   * them mentions, and of templates what is instantiated explicitly.
   */
  readonly hostEntries: readonly FunctionId[];
  /** Non-template host functions whose own text launches, for kernels that are not reached from the entries. */
  readonly hostLaunchers: readonly FunctionId[];
  /** Templates of host code that lead to a launch of one of `kernels`, by its name, and that nothing in sight instantiates; left out where there are none. */
  hostTemplatesFor?(kernels: readonly KernelDeclaration[]): readonly HostTemplate[];
  /** Where the text launches a kernel, whether or not the host code around can be followed; null where it does not. */
  launchSiteOf(kernel: KernelDeclaration): SourceRange | null;
  /** Variables of namespaces and static members, with their initializers (null: none). Those met so far, filled as functions are lowered. */
  globalInitializer(variable: Variable): Expression | null;
}
