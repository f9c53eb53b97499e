// What was taken for granted where the text does not say, as plain data: what an assumption is, not how people are told (render/assumption-words.ts).

/** Each holds for what it stands at: a function, a launch, or the figures of an access. */
export type Assumption =
  | Convention
  | BuildMacro
  /** What a name stands for that nothing in sight declares: a header that is missing, or a slip. */
  | { readonly kind: "undeclared"; readonly name: string }
  /** The block of a launch that nobody saw, or whose block is not known; `undeclared`: the name that it hangs on and nothing in sight declares. */
  | {
      readonly kind: "block";
      readonly block: readonly [number, number, number];
      readonly undeclared?: string;
    }
  /** That the kernel may be launched with the block that was assumed, though it would leave a shared array in it. */
  | { readonly kind: "misfit-block" }
  /** A template argument of a kernel that nobody instantiates. */
  | { readonly kind: "template-argument"; readonly name: string; readonly value: string }
  /** What the world outside the text is like. */
  | { readonly kind: "world"; readonly world: AssumedWorld }
  /** That the function which launches is called, by a caller that is not in sight. */
  | { readonly kind: "hidden-caller"; readonly callee: string | null }
  /** Ways that a host condition chooses between, all of which were taken. */
  | { readonly kind: "host-condition"; readonly condition: string; readonly ways: "both" | "every" }
  /** That a host loop of unknown trips makes one. */
  | { readonly kind: "host-loop-entered"; readonly condition: string }
  /** That what a host loop launches is what its first iteration does. */
  | { readonly kind: "first-iteration"; readonly condition: string }
  /** That a host loop of unknown trips makes more, of which this launch stands for all. */
  | { readonly kind: "later-iterations"; readonly condition: string }
  /** That guards against sizes which are not known hold. */
  | { readonly kind: "interior-warps" }
  /** That lanes of different numbers of trips make them as in a loop that was unrolled. */
  | { readonly kind: "unrolled-trips" }
  /** Of an atomic that is a loop of load and swap. */
  | { readonly kind: "swap-undisturbed" }
  /** The space of a pointer; `pointer` says which. */
  | { readonly kind: "global-pointer"; readonly pointer: string }
  /** Where nvcc may access memory in another way. */
  | { readonly kind: "compiler"; readonly doubt: CompilerDoubt }
  /** That the warps which were evaluated stand for all; `trips` says whether each of theirs was. */
  | {
      readonly kind: "part-of-launch";
      readonly evaluatedWarps: number;
      readonly warps: number;
      readonly trips: "all" | "first";
    }
  /** That the launches of the kernel which were evaluated stand for one that was not. */
  | { readonly kind: "part-of-launches"; readonly evaluated: number; readonly launches: number };

/** The value of a name that is defined nowhere in sight. */
export interface Convention {
  readonly kind: "convention";
  readonly name: string;
  readonly value: string;
}

/** The value of a macro that the build may give another. */
export interface BuildMacro {
  readonly kind: "build-macro";
  readonly name: string;
  /** Null where it is not known. */
  readonly value: string | null;
  /** As of `AssumedMacro`. */
  readonly why: "unknown-value" | "may-be-set" | "default" | "of-preset";
  /** The preset that sets it so; absent where that is not all that leaves it open. */
  readonly preset?: string;
  /** What leaves it open, in words; null for a default. */
  readonly doubt: string | null;
  /** Where it is set or defined. */
  readonly file: string;
  readonly line: number;
}

/** The usual world is the first of each group; the second is one in which the program launches what it does not launch in the usual one. */
export type AssumedWorld =
  | "no-arguments"
  | "some-arguments"
  | "measured-device"
  | "other-device"
  | "nvidia-device"
  | "full-occupancy"
  | "empty-environment"
  | "other-environment";

/** What the compiler may do beside what the figures are of. */
export type CompilerDoubt =
  | "keeps-in-register"
  | "loads-vectors"
  | "once-per-part"
  | "once-per-round"
  | "loads-behind-branch"
  | "other-alignment"
  | "told-alignment"
  | "store-without-effect"
  | "moves-padding-apart"
  | "moves-members-apart"
  | "lanes-meet-behind-lock"
  | "lanes-part-at-atomic"
  | "lanes-part-in-recursion"
  | "skipping-warps-count"
  | "unrolls-loop"
  | "copies-what-follows"
  | "chooses-places"
  | "stores-once"
  | "inlines-returns"
  | "narrows-load"
  | "lanes-meet-in-other-trips";

/** Each assumption once, in the order of the first. */
export function distinctAssumptions(assumptions: Iterable<Assumption>): readonly Assumption[] {
  const distinct = new Set(assumptions);
  if (distinct.size < 2) return [...distinct];
  return [...new Map([...distinct].map((each) => [JSON.stringify(each), each])).values()];
}
