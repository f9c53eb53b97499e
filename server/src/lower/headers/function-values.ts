// Functions of CUDA's that programs hand on by their name (`reduce(fmaxf, value)`), as source: each is a function that calls the one it is named
// for. They are read only for programs that name one without calling it.

/** Name under which the ranges of this text appear. */
export const functionValueFile = "<functions as values>";

const oneFloat =
  "fabsf sqrtf rsqrtf expf exp2f logf log2f log10f sinf cosf tanf tanhf floorf ceilf roundf truncf rintf erff __expf __logf __sinf __cosf";
const twoFloats = "fmaxf fminf fmodf powf __fadd_rn __fmul_rn __fdividef";
const twoHalves = "__hadd __hsub __hmul __hmax __hmin";
const twoPairs = "__hadd2 __hsub2 __hmul2 __hmax2 __hmin2";

const signatures = [
  { names: oneFloat, type: "float", parameters: 1 },
  { names: twoFloats, type: "float", parameters: 2 },
  { names: twoHalves, type: "__half", parameters: 2 },
  { names: twoPairs, type: "__half2", parameters: 2 },
].map(({ names, ...signature }) => ({ ...signature, names: names.split(" ") }));

/** What a program that needs `functionValueText` mentions. */
export const functionValueNames = new RegExp(
  `\\b(${signatures.flatMap(({ names }) => names).join("|")})\\b(?!\\s*\\()`,
);

/** The function that stands for the one of that name where that is a value. */
export function functionValueName(name: string): string {
  return `__warplint_value_of_${name}`;
}

export const functionValueText = signatures
  .flatMap(({ names, type, parameters }) => names.map((name) => wrapper(name, type, parameters)))
  .join("\n");

function wrapper(name: string, type: string, count: number): string {
  const given = ["a", "b"].slice(0, count);
  const parameters = given.map((each) => `${type} ${each}`).join(", ");
  return `inline __host__ __device__ ${type} ${functionValueName(name)}(${parameters}) { return ${name}(${given.join(", ")}); }`;
}
