// The PTX instructions that access shared and global memory, as the accesses and intrinsics of the IR: inline PTX reaches ptxas as any other
// code, so that its plain loads and stores are merged, narrowed and dropped like the rest (fixtures/tensor/ptx.cu).
import type { AccessSite, Expression, MemoryPlace, Place } from "../../ir/expression.ts";
import { pointerTo, type RecordType, sizeOf, type Type, uint8, uint32 } from "../../ir/type.ts";
import { entryOf } from "../../table.ts";
import { builtinType } from "../builtins/type.ts";
import { noteGap, rangeOf, temporary } from "../context.ts";
import { assignOf, convertOf, loadOf, offsetOf, partOf, unknownValue } from "../expressions/build.ts";
import { siteAt } from "../expressions/value.ts";
import { irTypeOf } from "../types/cxx-type.ts";
import { type AsmBlock, typeOfWords } from "./block.ts";
import { chargedToken } from "./charged-line.ts";
import type { PtxInstruction, PtxOperand } from "./ptx.ts";

/** Lowers an instruction that accesses memory; false where it is none. What is not analysed leaves a gap. */
export function lowerMemoryInstruction(block: AsmBlock, instruction: PtxInstruction): boolean {
  const { words, opcode } = instruction;
  switch (words[0]) {
    case "ld":
    case "ldu":
      load(block, instruction);
      return true;
    case "st":
      store(block, instruction);
      return true;
    case "atom":
    case "red":
      atomic(block, instruction);
      return true;
    case "ldmatrix":
    case "stmatrix":
      matrix(block, instruction);
      return true;
    case "cp":
      return copy(block, instruction);
    case "wgmma":
      if (words[1] === "mma_async")
        gap(block, "the operands that wgmma reads from shared memory are not analysed");
      else return /^(fence|commit_group|wait_group)$/.test(words[1] ?? "");
      return true;
    case "tcgen05":
    case "multimem":
      gap(block, `the PTX instruction ${opcode} is not analysed`);
      return true;
    default:
      return false;
  }
}

function gap(block: AsmBlock, reason: string): void {
  noteGap(block.context, reason);
}

type Space = "shared" | "global" | "none" | "remote";

function spaceOf(words: readonly string[]): Space {
  if (words.some((word) => word === "shared" || word === "shared::cta")) return "shared";
  if (words.includes("shared::cluster")) return "remote";
  if (words.some((word) => /^(const|param|local)(::\w+)?$/.test(word))) return "none";
  return "global";
}

/** The place of `type` that an operand in brackets names; null where it is not understood. */
function placeOf(
  block: AsmBlock,
  operand: PtxOperand | undefined,
  space: Space,
  type: Type,
): MemoryPlace | null {
  if (operand?.kind !== "address" || operand.base === null) return null;
  const base = block.readAny(operand.base, { kind: "integer", bits: 64, signed: false });
  if (base.kind === "unknown" || (base.type.kind !== "integer" && base.type.kind !== "pointer")) return null;
  const bytes = pointerTo(uint8);
  // Addresses of shared memory count from the start of its window, in 32 bits (ir/expression.ts, Convert).
  const isWindow = space === "shared" && base.type.kind === "integer";
  let pointer = convertOf(isWindow ? convertOf(base, uint32) : base, bytes);
  if (operand.offset !== null) {
    const offset = block.readAny(operand.offset, { kind: "integer", bits: 32, signed: true });
    if (offset.kind === "unknown") return null;
    pointer = offsetOf(pointer, offset, 1, uint8);
  }
  return { kind: "memory", pointer: convertOf(pointer, pointerTo(type)), offsetBytes: 0, type };
}

function siteOf(block: AsmBlock, { words, opcode }: PtxInstruction): AccessSite {
  const isVolatile = words.some((word) => /^(volatile|relaxed|acquire|release|mmio)$/.test(word));
  const site = siteAt(block.context, block.node, isVolatile);
  if (!/^(asm|__asm)/.test(site.expression)) return site;
  return { ...site, range: rangeOf(block.context, chargedToken(block.node)), expression: opcode };
}

function itemsOf(operand: PtxOperand | undefined): readonly PtxOperand[] {
  if (operand === undefined) return [];
  return operand.kind === "vector" ? operand.items : [operand];
}

function nameOf(operand: PtxOperand): string | null {
  return operand.kind === "name" && operand.name !== "_" ? operand.name : null;
}

function bytesOfWords(words: readonly string[]): number | null {
  const bits = /^[busf](8|16|32|64|128)$/.exec(
    [...words].reverse().find((word) => /^[busf]\d+$/.test(word)) ?? "",
  )?.[1];
  return bits ? Number(bits) / 8 : words.some((word) => /^(f16x2|bf16x2)$/.test(word)) ? 4 : null;
}

/** `count` elements of `element` side by side, aligned as a whole. */
function vectorOf(element: Type, count: number): RecordType {
  const bytes = sizeOf(element) ?? 4;
  return {
    kind: "record",
    name: `vector of ${count}`,
    sizeBytes: bytes * count,
    alignmentBytes: bytes * count,
    fields: Array.from({ length: count }, (_, index) => ({
      name: "xyzwabcd"[index] ?? `v${index}`,
      type: element,
      offsetBytes: index * bytes,
    })),
  };
}

/** What memory holds for a register: of the register's own type where the sizes agree, so that floats stay floats. */
function elementType(block: AsmBlock, operand: PtxOperand, words: readonly string[]): Type | null {
  const bytes = bytesOfWords(words);
  const own = operand.kind === "name" ? block.typeOf(operand.name) : null;
  if (bytes === null) return null;
  if (own && sizeOf(own) === bytes && own.kind !== "boolean") return own;
  const suffix = typeOfWords(words);
  if (suffix && sizeOf(suffix) === bytes)
    return suffix.kind === "float" && own?.kind === "integer" ? unsigned(bytes) : suffix;
  return unsigned(bytes);
}

function unsigned(bytes: number): Type | null {
  if (bytes !== 1 && bytes !== 2 && bytes !== 4 && bytes !== 8) return null;
  return { kind: "integer", bits: bytes === 1 ? 8 : bytes === 2 ? 16 : bytes === 4 ? 32 : 64, signed: false };
}

function notUnderstood(block: AsmBlock, instruction: PtxInstruction): void {
  gap(block, `the PTX instruction ${instruction.opcode} is not analysed`);
  for (const operand of itemsOf(instruction.operands[0])) {
    const name = nameOf(operand);
    if (name === null) continue;
    const type = block.typeOf(name) ?? uint32;
    block.write(instruction, name, unknownValue(type, `${instruction.opcode} is not analysed`));
  }
}

function load(block: AsmBlock, instruction: PtxInstruction): void {
  const { words, operands } = instruction;
  const space = spaceOf(words);
  const targets = itemsOf(operands[0]);
  if (space === "none") {
    for (const target of targets) {
      const name = nameOf(target);
      if (name) block.write(instruction, name, unknownValue(block.typeOf(name) ?? uint32, "constant memory"));
    }
    return;
  }
  const [first] = targets;
  const element = first ? elementType(block, first, words) : null;
  if (element === null || space === "remote") {
    notUnderstood(block, instruction);
    return;
  }
  const type = targets.length === 1 ? element : vectorOf(element, targets.length);
  const place = placeOf(block, operands[1], space, type);
  if (place === null) {
    notUnderstood(block, instruction);
    return;
  }
  const loaded = loadOf(place, siteOf(block, instruction));
  if (targets.length === 1) {
    const name = first ? nameOf(first) : null;
    if (name) block.write(instruction, name, loaded);
    return;
  }
  const held = variableOf(block, type);
  block.add(instruction, assignOf(held, loaded, null));
  for (const [index, target] of targets.entries()) {
    const name = nameOf(target);
    if (name)
      block.write(instruction, name, loadOf(partOf(held, index * (sizeOf(element) ?? 4), element), null));
  }
}

function store(block: AsmBlock, instruction: PtxInstruction): void {
  const { words, operands } = instruction;
  const space = spaceOf(words);
  const sources = itemsOf(operands[1]);
  const [first] = sources;
  if (space === "none") return;
  const element = first ? elementType(block, first, words) : null;
  if (element === null || space === "remote" || words[1] === "async" || words[1] === "bulk") {
    gap(block, `the PTX instruction ${instruction.opcode} is not analysed`);
    return;
  }
  const type = sources.length === 1 ? element : vectorOf(element, sources.length);
  const place = placeOf(block, operands[0], space, type);
  if (place === null) {
    gap(block, `the PTX instruction ${instruction.opcode} is not analysed`);
    return;
  }
  const values = sources.map((source) =>
    source.kind === "name" ? block.read(source.name, element) : unknownValue(element, "a PTX operand"),
  );
  const [single] = values;
  const value: Expression =
    type.kind === "record"
      ? {
          kind: "aggregate",
          type,
          parts: values.map((part, index) => ({ offsetBytes: index * (sizeOf(element) ?? 4), value: part })),
        }
      : (single ?? unknownValue(type, "a PTX operand"));
  block.add(instruction, assignOf(place, value, siteOf(block, instruction)));
}

const atomics: Record<string, string> = {
  add: "atomicAdd",
  exch: "atomicExch",
  min: "atomicMin",
  max: "atomicMax",
  inc: "atomicInc",
  dec: "atomicDec",
  cas: "atomicCAS",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
};

function atomic(block: AsmBlock, instruction: PtxInstruction): void {
  const { words, operands } = instruction;
  const name = words.map((word) => entryOf(atomics, word)).find((one) => one !== undefined);
  const isReduction = words[0] === "red";
  const isVector = words.some((word) => /^v[248]$/.test(word));
  const space = spaceOf(words);
  const type = atomicType(words);
  const address = operands[isReduction ? 0 : 1];
  if (!name || !type || isVector || space === "remote" || space === "none" || words[1] === "async") {
    notUnderstood(block, instruction);
    return;
  }
  const place = placeOf(block, address, space, type);
  if (place === null) {
    notUnderstood(block, instruction);
    return;
  }
  const values = operands
    .slice(isReduction ? 1 : 2)
    .slice(0, name === "atomicCAS" ? 2 : 1)
    .map((operand) =>
      operand.kind === "name" && type.kind !== "record"
        ? block.read(operand.name, type)
        : unknownValue(type, "a PTX operand"),
    );
  const result: Expression = {
    kind: "intrinsic",
    name,
    type,
    arguments: [place.pointer, ...values],
    site: siteOf(block, instruction),
    range: rangeOf(block.context, block.node),
  };
  const target = isReduction ? null : operands[0];
  const written = target ? nameOf(target) : null;
  if (written === null) {
    block.add(instruction, result);
    return;
  }
  if (type.kind !== "record") {
    block.write(instruction, written, result);
    return;
  }
  block.add(instruction, result);
  block.write(instruction, written, unknownValue(block.typeOf(written) ?? uint32, "the result of an atomic"));
}

function atomicType(words: readonly string[]): Type | null {
  const packed = words.includes("f16x2") ? "__half2" : words.includes("bf16x2") ? "__nv_bfloat162" : null;
  const type = packed ? builtinType(packed) : null;
  return type ? irTypeOf(type) : typeOfWords(words);
}

/** ldmatrix and stmatrix of 8×8 matrices of 16 bits. */
function matrix(block: AsmBlock, instruction: PtxInstruction): void {
  const { words, operands } = instruction;
  const [name = ""] = words;
  const count = words.find((word) => /^x[124]$/.test(word));
  const isKnownShape = words.includes("m8n8") && words.includes("b16") && count !== undefined;
  const address = operands[name === "ldmatrix" ? 1 : 0];
  const row = { kind: "array", element: uint32, count: 4 } as const;
  const place = placeOf(block, address, "shared", row);
  if (!isKnownShape || place === null) {
    notUnderstood(block, instruction);
    return;
  }
  const full = `${name}.${count}${words.includes("trans") ? ".trans" : ""}`;
  const registers = itemsOf(operands[name === "ldmatrix" ? 0 : 1]);
  const common = {
    kind: "intrinsic",
    name: full,
    site: siteOf(block, instruction),
    range: rangeOf(block.context, block.node),
  } as const;
  if (name === "stmatrix") {
    const values = registers.map((register) =>
      register.kind === "name" ? block.read(register.name, uint32) : unknownValue(uint32, "a PTX operand"),
    );
    block.add(instruction, {
      ...common,
      type: { kind: "void" },
      arguments: [place.pointer, ...values],
    });
    return;
  }
  if (registers.length === 1) {
    const [register] = registers;
    const written = register ? nameOf(register) : null;
    const loaded: Expression = { ...common, type: uint32, arguments: [place.pointer] };
    if (written) block.write(instruction, written, loaded);
    else block.add(instruction, loaded);
    return;
  }
  const type = vectorOf(uint32, registers.length);
  const held = variableOf(block, type);
  block.add(instruction, assignOf(held, { ...common, type, arguments: [place.pointer] }, null));
  for (const [index, register] of registers.entries()) {
    const written = nameOf(register);
    if (written) block.write(instruction, written, loadOf(partOf(held, index * 4, uint32), null));
  }
}

/** cp.async and the bulk copies. */
function copy(block: AsmBlock, instruction: PtxInstruction): boolean {
  const { words, operands, opcode } = instruction;
  if (words.includes("bulk")) {
    if (!words.some((word) => /^(commit_group|wait_group|prefetch)$/.test(word)))
      gap(block, "bulk copies (TMA, cp.async.bulk) are not analysed");
    return true;
  }
  if (words.some((word) => /^(commit_group|wait_group|wait_all|mbarrier)$/.test(word))) return true;
  const path = words.find((word) => word === "ca" || word === "cg");
  const [to, from, size, copied] = operands;
  const bytes = size?.kind === "name" ? block.read(size.name, uint32) : null;
  const row = bytes?.kind === "constant" ? bytesRecord(Number(bytes.value)) : null;
  const destination = row && placeOf(block, to, "shared", row);
  const source = row && placeOf(block, from, "global", row);
  const isKnown = words[1] === "async" && path && bytes && destination && source;
  // The fourth operand is the number of bytes that are really copied, or a predicate that says that none are.
  const isPredicate = copied?.kind === "name" && block.typeOf(copied.name)?.kind === "boolean";
  const hasPolicy = words.includes("L2::cache_hint") && operands.length === 4;
  if (!isKnown || isPredicate) {
    gap(block, `the PTX instruction ${opcode} is not analysed`);
    return true;
  }
  const list = [destination.pointer, source.pointer, bytes];
  if (copied?.kind === "name" && !hasPolicy) list.push(block.read(copied.name, uint32));
  block.add(instruction, {
    kind: "intrinsic",
    name: `cp.async.${path}`,
    type: { kind: "void" },
    arguments: list,
    site: siteOf(block, instruction),
    range: rangeOf(block.context, block.node),
  });
  return true;
}

function bytesRecord(bytes: number): RecordType | null {
  if (bytes !== 4 && bytes !== 8 && bytes !== 16) return null;
  return { kind: "record", name: `${bytes} bytes`, sizeBytes: bytes, alignmentBytes: bytes, fields: [] };
}

function variableOf(block: AsmBlock, type: Type): Place {
  const variable = temporary(block.context, type);
  return { kind: "variable", variable, offsetBytes: 0, type };
}
