// Inline PTX: its operands, registers and the instructions that compute. Those that access memory stand in memory.ts; what is
// not understood leaves its outputs unknown, and a gap where it may access memory.
import type { BinaryOperator, Expression } from "../../ir/expression.ts";
import { booleanType, type Type, uint32, uint64 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../../syntax/node.ts";
import { entryOf } from "../../table.ts";
import { type Context, noteGap, textOf } from "../context.ts";
import { binaryOf, constantOf, convertOf, sequenceOf, unknownValue } from "../expressions/build.ts";
import { literalText } from "../expressions/text-literal.ts";
import { rvalueOf, type Value } from "../expressions/value.ts";
import { voidType } from "../types/cxx-type.ts";
import { type AsmBlock, type AsmOperand, createAsmBlock, typeOfWords } from "./block.ts";
import { lowerMemoryInstruction } from "./memory.ts";
import { type PtxInstruction, type PtxOperand, readPtx } from "./ptx.ts";

export function asmExpression(context: Context, node: SyntaxNode): Value {
  const source = childOf(node, "assembly_code");
  const text = source ? textOf(context, source) : "";
  if (/[A-Za-z_]\w*/.test(text.replace(/R?"(?:[^"\\]|\\.)*"/gs, "")))
    noteGap(context, "inline PTX whose text is not known");
  const instructions = readPtx(literalText(text));
  const block = createAsmBlock(
    context,
    node,
    operandsOf(node, "output_operands"),
    operandsOf(node, "input_operands"),
    instructions.length === 1 ? "one instruction" : "several",
  );
  const hasBranch = instructions.some(({ words }) => words[0] === "bra");
  for (const instruction of instructions) {
    if (lowerMemoryInstruction(block, instruction)) {
      if (hasBranch) noteGap(context, "inline PTX with branches around memory accesses is not analysed");
    } else compute(block, instruction);
  }
  return rvalueOf(voidType, sequenceOf(block.finish(), constantOf({ kind: "void" }, 0)));
}

/** `bar.sync` and its like: where the whole block meets. */
export function isBlockBarrier(context: Context, node: SyntaxNode): boolean {
  const source = childOf(node, "assembly_code");
  const text = source ? literalText(textOf(context, source)) : "";
  return /^[\s{]*(bar|barrier)(\.cta)?\.sync\b/.test(text);
}

function operandsOf(node: SyntaxNode, field: string): AsmOperand[] {
  const list = childOf(node, field);
  const operands = list ? childrenOf(list, "operand") : [];
  return (operands.length > 0 ? operands : list ? namedChildren(list) : []).flatMap((operand) => {
    const value = childOf(operand, "value");
    return value ? [{ constraint: childOf(operand, "constraint"), value }] : [];
  });
}

/** Instructions that read and write registers alone, or synchronise: by their first word. */
const registerInstructions = new Set(
  (
    "abs activemask add addc alloca and bar barrier bfe bfi bfind bmsk bra brev brkpt brx clusterlaunchcontrol clz cnot copysign cos createpolicy cvt cvta div " +
    "dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov " +
    "movmatrix mul mul24 nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct " +
    "sqrt sub subc szext tanh testp trap vote xor istypep txq suq tex tld4 suld sust sured discard applypriority tensormap pragma stacksave stackrestore " +
    "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4"
  ).split(" "),
);

function compute(block: AsmBlock, instruction: PtxInstruction): void {
  const [name = ""] = instruction.words;
  if (!registerInstructions.has(name))
    noteGap(block.context, `the PTX instruction ${instruction.opcode} is not known`);
  const [target, ...sources] = instruction.operands;
  if (!target || !writes(name)) return;
  if (target.kind === "vector") {
    for (const item of target.items) writeUnknown(block, item, instruction, sources);
    return;
  }
  const value = computed(block, instruction, sources);
  if (value && target.kind === "name") block.write(instruction, target.name, value);
  else writeUnknown(block, target, instruction, sources);
}

function writes(name: string): boolean {
  return !/^(bar|barrier|fence|membar|mbarrier|bra|brx|exit|ret|trap|nanosleep|prefetch|prefetchu|sust|discard|applypriority|griddepcontrol|setmaxnreg|pragma)$/.test(
    name,
  );
}

/** What is computed is not known, what it is computed of is read all the same. */
function writeUnknown(
  block: AsmBlock,
  target: PtxOperand,
  instruction: PtxInstruction,
  sources: readonly PtxOperand[],
): void {
  if (target.kind !== "name") return;
  const reason = `the PTX instruction ${instruction.opcode} is not followed`;
  const type = block.typeOf(target.name) ?? typeOfWords(instruction.words) ?? uint32;
  const operands = sources.flatMap((source) => operandsRead(block, source));
  block.write(instruction, target.name, unknownValue(type, reason, operands));
}

function operandsRead(block: AsmBlock, source: PtxOperand): Expression[] {
  if (source.kind === "vector") return source.items.flatMap((item) => operandsRead(block, item));
  if (source.kind !== "name") return [];
  const type = block.typeOf(source.name);
  return type ? [block.readAny(source.name, type)] : [];
}

const operators: Record<string, BinaryOperator> = {
  add: "+",
  sub: "-",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
};

const comparisons: Record<string, BinaryOperator> = {
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  lo: "<",
  ls: "<=",
  hi: ">",
  hs: ">=",
};

/** The value of an integer instruction; null where it is not followed. */
function computed(
  block: AsmBlock,
  { words }: PtxInstruction,
  sources: readonly PtxOperand[],
): Expression | null {
  const [name = "", second = ""] = words;
  const type = typeOfWords(words);
  const read = (index: number, as: Type): Expression | null => {
    const source = sources[index];
    return source?.kind === "name" ? block.read(source.name, as) : null;
  };
  if (name === "mov" || name === "cvta") {
    const source = sources[0];
    return source?.kind === "name" ? block.readAny(source.name, type ?? uint64) : null;
  }
  if (type === null) return null;
  if (name === "cvt") return conversion(block, words, sources);
  if (type.kind !== "integer") return null;
  if (name === "setp") {
    const operator = entryOf(comparisons, second);
    const [a, b] = [read(0, type), read(1, type)];
    return operator && words.length === 3 && a && b ? binaryOf(operator, booleanType, a, b) : null;
  }
  if (name === "selp") {
    const [whenTrue, whenFalse, condition] = [read(0, type), read(1, type), read(2, booleanType)];
    return whenTrue && whenFalse && condition
      ? { kind: "conditional", type, condition, whenTrue, whenFalse }
      : null;
  }
  if (name === "mul" && second !== "lo") return null;
  if (name === "mad") {
    const [a, b, c] = [read(0, type), read(1, type), read(2, type)];
    return second === "lo" && a && b && c ? binaryOf("+", type, binaryOf("*", type, a, b), c) : null;
  }
  const operator = name === "mul" ? "*" : entryOf(operators, name);
  const isShift = name === "shl" || name === "shr";
  const [a, b] = [read(0, type), read(1, isShift ? uint32 : type)];
  if (!operator || !a || !b) return null;
  if (isShift && (b.kind !== "constant" || Number(b.value) >= type.bits)) return null;
  return binaryOf(operator, type, a, b);
}

/** `cvt.to.from` between integers. */
function conversion(
  block: AsmBlock,
  words: readonly string[],
  sources: readonly PtxOperand[],
): Expression | null {
  const [, to, from] = words;
  const target = typeOfWords([to ?? ""]);
  const origin = typeOfWords([from ?? ""]);
  const source = sources[0];
  if (words.length !== 3 || source?.kind !== "name") return null;
  if (target?.kind !== "integer" || origin?.kind !== "integer") return null;
  return convertOf(block.read(source.name, origin), target);
}
