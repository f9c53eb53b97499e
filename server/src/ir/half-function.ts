// The functions of cuda_fp16.h and cuda_bf16.h on halves and pairs of halves, by what they do. A number has one component, a pair has two.

export type HalfFunction =
  /** The same of each component; what has one component goes with each of the other's. */
  | {
      readonly kind: "each";
      readonly operation: HalfOperation;
      readonly variant: HalfVariant | null;
    }
  /** Each component 1 or 0, or one truth for all of them. */
  | {
      readonly kind: "compare";
      readonly operator: HalfComparison;
      /** Whether it holds where a side is not a number. */
      readonly ofNaN: boolean;
      readonly gives: "each" | "all";
    }
  /** Components of the operands, rounded to those of the result. */
  | { readonly kind: "pick"; readonly picks: readonly Pick[]; readonly gives: HalfPickResult };

export type HalfOperation =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "fma"
  | "max"
  | "min"
  | "neg"
  | "abs"
  | "isnan"
  | "isinf"
  | RealOperation;

/** Named as the intrinsics of floats are. */
export type RealOperation = (typeof realOperations)[number];

/** `sat`: between 0 and 1; `relu`: not below 0; `nan`: not a number where an operand is none. */
export type HalfVariant = "sat" | "relu" | "nan";

export type HalfComparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A component of an operand. */
export interface Pick {
  readonly operand: number;
  readonly component: number;
}

/** `pair`: of what the first operand is made of. */
export type HalfPickResult = "half" | "half2" | "bfloat16" | "bfloat162" | "float" | "float2" | "pair";

const realOperations = [
  "sqrt",
  "rsqrt",
  "rcp",
  "exp",
  "exp2",
  "exp10",
  "log",
  "log2",
  "log10",
  "sin",
  "cos",
  "tanh",
  "floor",
  "ceil",
  "trunc",
  "rint",
] as const;

const comparisons: Readonly<Record<string, HalfComparison>> = {
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};

const functions = new Map<string, HalfFunction>();

function addEach(
  names: readonly string[],
  operation: HalfOperation,
  variant: HalfVariant | null = null,
): void {
  for (const name of names) functions.set(name, { kind: "each", operation, variant });
}

for (const operation of ["add", "sub", "mul"] as const) {
  // What is named _rn is never joined with another operation.
  addEach([`__h${operation}`, `__h${operation}2`, `__h${operation}_rn`, `__h${operation}2_rn`], operation);
  addEach([`__h${operation}_sat`, `__h${operation}2_sat`], operation, "sat");
}
addEach(["__hdiv", "__h2div"], "div");
addEach(["__hfma", "__hfma2"], "fma");
for (const variant of ["sat", "relu"] as const)
  addEach([`__hfma_${variant}`, `__hfma2_${variant}`], "fma", variant);
for (const operation of ["max", "min"] as const) {
  addEach([`__h${operation}`, `__h${operation}2`], operation);
  addEach([`__h${operation}_nan`, `__h${operation}2_nan`], operation, "nan");
}
addEach(["__hneg", "__hneg2"], "neg");
addEach(["__habs", "__habs2"], "abs");
addEach(["__hisnan", "__hisnan2"], "isnan");
addEach(["__hisinf"], "isinf");
for (const operation of realOperations) addEach([`h${operation}`, `h2${operation}`], operation);

for (const [name, operator] of Object.entries(comparisons))
  for (const [suffix, ofNaN] of [
    ["", false],
    ["u", true],
  ] as const) {
    functions.set(`__h${name}${suffix}`, { kind: "compare", operator, ofNaN, gives: "all" });
    functions.set(`__h${name}${suffix}2`, { kind: "compare", operator, ofNaN, gives: "each" });
    functions.set(`__hb${name}${suffix}2`, { kind: "compare", operator, ofNaN, gives: "all" });
  }

/** `picks`: operand and component, one pair a component of the result. */
function addPick(
  names: string,
  gives: HalfPickResult,
  ...picks: readonly (readonly [number, number])[]
): void {
  for (const name of names.split(" "))
    functions.set(name, {
      kind: "pick",
      gives,
      picks: picks.map(([operand, component]) => ({ operand, component })),
    });
}

addPick("__halves2half2 __floats2half2_rn", "half2", [0, 0], [1, 0]);
addPick("__halves2bfloat162 __floats2bfloat162_rn", "bfloat162", [0, 0], [1, 0]);
addPick("__half2half2 __float2half2_rn", "half2", [0, 0], [0, 0]);
addPick("__bfloat162bfloat162 __float2bfloat162_rn", "bfloat162", [0, 0], [0, 0]);
addPick("__float22half2_rn", "half2", [0, 0], [0, 1]);
addPick("__float22bfloat162_rn", "bfloat162", [0, 0], [0, 1]);
addPick("__half22float2 __bfloat1622float2", "float2", [0, 0], [0, 1]);
addPick("__low2half", "half", [0, 0]);
addPick("__high2half", "half", [0, 1]);
addPick("__low2bfloat16", "bfloat16", [0, 0]);
addPick("__high2bfloat16", "bfloat16", [0, 1]);
addPick("__low2float", "float", [0, 0]);
addPick("__high2float", "float", [0, 1]);
addPick("__low2half2 __low2bfloat162", "pair", [0, 0], [0, 0]);
addPick("__high2half2 __high2bfloat162", "pair", [0, 1], [0, 1]);
addPick("__lows2half2 __lows2bfloat162", "pair", [0, 0], [1, 0]);
addPick("__highs2half2 __highs2bfloat162", "pair", [0, 1], [1, 1]);
addPick("__lowhigh2highlow", "pair", [0, 1], [0, 0]);

export const halfFunctions: ReadonlyMap<string, HalfFunction> = functions;
