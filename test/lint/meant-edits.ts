// Edits that people mean, at random places: each leaves a program that may well compile, and means something else than the one before.
import { changedOne, type Random } from "./edits.ts";

export interface MeantEdit {
  readonly name: string;
  /** The text itself where there is no place for such an edit. */
  of(text: string, random: Random): string;
}

const usualNumbers = [0, 1, 2, 3, 4, 8, 16, 32, 33, 64, 100, 128, 256];
const statement = /(?<=[;{}]\n)[ \t]+[\w:.>[\]() *+-]+ ?[-+*/]?= ?[^;{}#\n]+;(?=\n)/g;
const kernelHead = /^(?:template ?<[^>\n]*>\s*)?(?:extern "C" )?__global__/gm;
const openedBlock = /\) ?\{\n/g;

const keywords = new Set(
  "__global__ __device__ __shared__ include define undef endif ifdef ifndef else main return struct template typename const static float double int unsigned char void bool for while threadIdx blockIdx blockDim gridDim dim3 namespace using auto sizeof constexpr".split(
    " ",
  ),
);

export const meantEdits: readonly MeantEdit[] = [
  numbers("a constant", /\b\d+\b/g),
  numbers("the value of a macro", /(?<=^#define \w+ +)\d+\b/gm),
  numbers("a template argument", /(?<=\w<(?:[\w ]+, )*)\d+(?=[,>])/g),
  numbers("a launch", /(?<=<<<[^>;]*)\b\d+\b|(?<=dim3 \w+[({])\d+/g),
  numbers("an array's extent", /(?<=__shared__ \w+ \w+(?:\[[^\]]*\])*\[[^\]]*)\b\d+\b/g),
  changes("a condition", /(?<=\bif ?\([^;{}\n]*)(?:<=|>=|==|!=|<|>)/g, ["<", "<=", ">", "==", "!="]),
  changes("an operator", /(?<=[\w)\]] )[-+*](?= [\w(])/g, ["+", "-", "*"]),
  changes("a type", /\b(?:float|double|int|unsigned int|size_t)(?= \w)/g, [
    "float",
    "double",
    "int",
    "short",
  ]),
  changes("a lane", /\bthreadIdx\.[xyz]/g, ["threadIdx.x", "threadIdx.y", "threadIdx.x * 2"]),
  changes("a template argument's type", /(?<=\w<)(?:float|double|int)(?=[,>])/g, ["float", "double", "int"]),
  {
    name: "a statement under a condition",
    of: (text, random) =>
      changedOne(text, statement, random, (found) => {
        const code = found.trimStart();
        return `${found.slice(0, -code.length)}if (threadIdx.x < ${1 + random(64)}) { ${code} }`;
      }),
  },
  {
    name: "a statement twice",
    of: (text, random) => changedOne(text, statement, random, (it) => `${it}\n${it}`),
  },
  { name: "no statement", of: (text, random) => changedOne(text, statement, random, () => "") },
  {
    name: "a local variable",
    of: (text, random) =>
      changedOne(text, openedBlock, random, (it) => `${it}  int local${random(9)} = ${random(64)};\n`),
  },
  {
    name: "an early return",
    of: (text, random) =>
      changedOne(text, openedBlock, random, (it) => `${it}  if (threadIdx.x == ${random(64)}) return;\n`),
  },
  {
    name: "a launch that is annotated",
    of: (text, random) =>
      changedOne(
        text,
        kernelHead,
        random,
        (it) => `// warplint: launch(block=(${32 << random(4)}), n=${1 + random(4096)})\n${it}`,
      ),
  },
  {
    name: "a macro in the midst",
    of: (text, random) =>
      changedOne(
        text,
        kernelHead,
        random,
        (it) => `#define ${nameIn(text, random)} ${1 + random(64)}\n${it}`,
      ),
  },
  {
    name: "a macro that ends",
    of: (text, random) =>
      changedOne(text, kernelHead, random, (it) => `#undef ${macroIn(text, random)}\n${it}`),
  },
  {
    name: "a global variable",
    of: (text, random) =>
      changedOne(
        text,
        kernelHead,
        random,
        (it) => `const int ${nameIn(text, random)} = ${random(64)};\n${it}`,
      ),
  },
  {
    name: "a statement that is left out by a condition of the preprocessor",
    of: (text, random) =>
      changedOne(text, statement, random, (it) => `#if ${random(2)}\n${it}\n#else\n#endif`),
  },
  {
    name: "a name, wherever it stands",
    of: (text, random) => {
      const name = nameIn(text, random);
      return text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}_${random(9)}`);
    },
  },
  {
    name: "a declaration elsewhere",
    of: (text, random) => {
      const declaration = declarationIn(text, random);
      return declaration === "" ? text : `${text.replace(declaration, () => "")}\n${declaration}`;
    },
  },
  { name: "no declaration", of: (text, random) => text.replace(declarationIn(text, random), () => "") },
  {
    name: "a declaration twice, under another name",
    of: (text, random) => {
      const declaration = declarationIn(text, random);
      const [, name = ""] = /(\w+)\s*\(/.exec(declaration) ?? [];
      const other = declaration.replace(name, () => `${name}_too`);
      return text.replace(declaration, () => `${declaration}\n${other}`);
    },
  },
];

function numbers(name: string, pattern: RegExp): MeantEdit {
  return changes(name, pattern, usualNumbers.map(String));
}

function changes(name: string, pattern: RegExp, others: readonly string[]): MeantEdit {
  return {
    name,
    of: (text, random) =>
      changedOne(text, pattern, random, (found) => {
        const choices = others.filter((other) => other !== found);
        return choices[random(choices.length)] ?? found;
      }),
  };
}

/** A name that the text uses. */
function nameIn(text: string, random: Random): string {
  const names = [...new Set(text.match(/\b[A-Za-z]\w{2,}\b/g))].filter((name) => !keywords.has(name));
  return names[random(names.length)] ?? "name";
}

function macroIn(text: string, random: Random): string {
  const names = [...text.matchAll(/^#define (\w+)/gm)].map(([, name]) => name);
  return names[random(names.length)] ?? nameIn(text, random);
}

/** A function that begins and ends at the start of a line; "" where there is none. */
function declarationIn(text: string, random: Random): string {
  const all = text.match(/^(?:template ?<[^\n]*\n)?[A-Za-z_][^;{}#]*\{\n[\s\S]*?^\}\n/gm) ?? [];
  return all[random(all.length)] ?? "";
}
