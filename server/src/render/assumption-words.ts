// What was taken for granted, in words: the one place that words assumptions.
import type { AssumedWorld, Assumption, BuildMacro, CompilerDoubt } from "../ir/assumption.ts";
import { blockText } from "./labels.ts";

/** "argc = 1", "block (32,8) assumed". */
export function assumptionText(assumption: Assumption): string {
  switch (assumption.kind) {
    case "convention":
      return `${assumption.name} = ${assumption.value} (defined nowhere)`;
    case "build-macro":
      return buildMacroText(assumption);
    case "undeclared":
      return `${assumption.name} is declared nowhere in sight`;
    case "block":
      return `block ${blockText(assumption.block)} assumed${assumption.undeclared === undefined ? "" : ` (${assumption.undeclared} is declared nowhere in sight)`}`;
    case "misfit-block":
      return "every block size tried reads outside the shared array";
    case "template-argument":
      return `${assumption.name} = ${assumption.value} assumed`;
    case "world":
      return worldTexts[assumption.world];
    case "hidden-caller":
      return assumption.callee === null
        ? "the function that launches it is called from elsewhere"
        : `${assumption.callee === "operator()" ? "a lambda" : assumption.callee} is called by code that is not in sight`;
    case "host-condition":
      return `host condition \`${assumption.condition}\` taken ${assumption.ways} ${assumption.ways === "both" ? "ways" : "way"}`;
    case "host-loop-entered":
      return `host condition \`${assumption.condition}\` true at least once`;
    case "first-iteration":
      return `only the first iteration of the loop \`${assumption.condition}\` is known`;
    case "later-iterations":
      return `later iterations of the loop \`${assumption.condition}\` as one`;
    case "interior-warps":
      return "interior warps (guards against unknown sizes hold)";
    case "unrolled-trips":
      return "the compiler unrolls the loop as usual, though lanes run different numbers of iterations";
    case "swap-undisturbed":
      return "no other warp changes the word between the load and the swap of an iteration";
    case "global-pointer":
      return `${assumption.pointer} points to global memory`;
    case "compiler":
      return doubtTexts[assumption.doubt];
    case "part-of-launch":
      return partText(assumption);
    case "part-of-launches":
      return `${assumption.evaluated} of ${assumption.launches} such launches were evaluated within the budget`;
  }
}

function buildMacroText({ name, value, why, doubt, file, line, preset }: BuildMacro): string {
  const place = file.startsWith("<") ? file : `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
  switch (why) {
    case "unknown-value":
      return `${name} is set by ${place} to a value that is not known`;
    case "may-be-set":
      return `${name} = ${value} (${place}, not certain: ${doubt})`;
    case "of-preset":
      return `${name} = ${value} of the preset ${preset}, where ${doubt}`;
    case "default":
      return `${name} = ${value} (default in ${place}; the build could not be read to its end)`;
  }
}

/** Of what was assumed, that with which the figures may not be those of the program: the rest stands in hovers and JSON. */
export function narrowsFigures({ kind }: Assumption): boolean {
  return narrowing.has(kind);
}

const narrowing: ReadonlySet<Assumption["kind"]> = new Set([
  "convention",
  "build-macro",
  "undeclared",
  "first-iteration",
  "part-of-launch",
  "part-of-launches",
]);

const worldTexts: Readonly<Record<AssumedWorld, string>> = {
  "no-arguments": "argc = 1",
  "some-arguments": "the command line is as the program asks for",
  "measured-device": "the GPU is an H200",
  "other-device": "the GPU is one for which the program launches it",
  "nvidia-device": "the GPU is NVIDIA's (warps of 32)",
  "full-occupancy": "the kernel takes at most 32 registers, so that a block of 1024 has full occupancy",
  "empty-environment": "no environment variable is set",
  "other-environment": "the environment is as the program asks for",
};

const doubtTexts: Readonly<Record<CompilerDoubt, string>> = {
  "keeps-in-register": "the compiler may keep in a register what the previous iteration loaded or stored",
  "loads-vectors": "the compiler may unroll the loop and load neighbouring elements as one vector",
  "once-per-part":
    "the compiler may do this twice: around the unrolled loop, and around the remaining iterations",
  "once-per-round": "the compiler may load or store once for several iterations of the loop",
  "other-alignment": "the compiler may see another alignment, and merge neighbours or leave them apart",
  "loads-behind-branch":
    "the compiler may load in front of the branch that alone uses the value, or behind it",
  "told-alignment": "the compiler may merge neighbours where __builtin_assume_aligned tells it how they lie",
  "store-without-effect": "the compiler may see that the store before leaves it as it is",
  "moves-padding-apart":
    "the compiler may move the padding of the record by itself, or with the word in front of it",
  "moves-members-apart": "the compiler may move members of 4 and of 8 bytes apart, or the record as a whole",
  "lanes-meet-behind-lock": "lanes that waited for a lock may reconverge with lanes of another iteration",
  "lanes-part-at-atomic": "lanes that repeat an atomic may stay apart from the others up to a barrier",
  "lanes-part-in-recursion": "lanes that return from a recursion of their own depth may stay apart",
  "lanes-meet-in-other-trips":
    "the compiler may unroll or divide the loop: diverged lanes may reconverge in a different iteration",
  "unrolls-loop": "the compiler may unroll the loop and compute what is constant in its first iterations",
  "inlines-returns":
    "the compiler may load and store otherwise once the function, which returns out of a loop, stands in the place of its call",
  "chooses-places":
    "the compiler may choose the place first and access memory once for both ways of the branch",
  "stores-once":
    "the compiler may store once behind the branch, for all lanes, what each has to store by then",
  "narrows-load": "the compiler may load fewer bytes of the number, of which not all are used",
  "copies-what-follows": "the compiler may give a case of the switch a copy of its own of what follows",
  "skipping-warps-count":
    "warps that skip the copy whole count too where the compiler makes predication of the branch",
};

function partText({
  evaluatedWarps,
  warps,
  trips,
}: Assumption & { readonly kind: "part-of-launch" }): string {
  if (trips === "all") return `${evaluatedWarps} of ${warps} warps were evaluated within the budget`;
  const extent = evaluatedWarps === warps ? `all ${warps} warps` : `${evaluatedWarps} of ${warps} warps`;
  return `${extent} were evaluated within the budget, later iterations of long loops counted as one`;
}
