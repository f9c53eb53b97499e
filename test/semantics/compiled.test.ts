// Random expressions against what gcc's x86-64 code computes: integers with -fwrapv, conversions in the host's flavour.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { BinaryOperator, UnaryOperator } from "../../server/src/ir/expression.ts";
import type { ScalarType } from "../../server/src/ir/type.ts";
import * as types from "../../server/src/ir/type.ts";
import { binary, convert, normalize, unary } from "../../server/src/semantics/arithmetic.ts";
import { writeScalar } from "../../server/src/semantics/bytes.ts";
import type { Scalar } from "../../server/src/semantics/scalar.ts";

type Tree =
  | { readonly kind: "leaf"; readonly type: ScalarType; readonly value: Scalar }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly type: ScalarType;
      readonly left: Tree;
      readonly right: Tree;
    }
  | {
      readonly kind: "unary";
      readonly operator: UnaryOperator;
      readonly type: ScalarType;
      readonly operand: Tree;
    }
  | { readonly kind: "convert"; readonly type: ScalarType; readonly operand: Tree };

const names = new Map<ScalarType, string>([
  [types.int8, "int8_t"],
  [types.uint8, "uint8_t"],
  [types.int16, "int16_t"],
  [types.uint16, "uint16_t"],
  [types.int32, "int32_t"],
  [types.uint32, "uint32_t"],
  [types.int64, "int64_t"],
  [types.uint64, "uint64_t"],
  [types.float32, "float"],
  [types.float64, "double"],
  [types.booleanType, "bool"],
]);
const allTypes = [...names.keys()];
const arithmetic = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"] as const;
const comparisons = ["<", "<=", ">", ">=", "==", "!="] as const;

/** Integers of every magnitude, with those around powers of two more often. */
const anyInteger = fc.oneof(
  fc.bigInt({ min: -(1n << 63n), max: (1n << 64n) - 1n }),
  fc
    .tuple(fc.integer({ min: 0, max: 63 }), fc.integer({ min: -2, max: 2 }))
    .map(([bits, by]) => (1n << BigInt(bits)) + BigInt(by)),
  fc.integer({ min: -40, max: 40 }).map(BigInt),
);
const anyDouble = fc.oneof(
  fc.double(),
  fc.integer({ min: -100, max: 100 }).map((one) => one / 4),
  anyInteger.map(Number),
);

const anyType = fc.constantFrom(...allTypes);

function leafOf(type: ScalarType): fc.Arbitrary<Tree> {
  const values: fc.Arbitrary<Scalar> = type.kind === "float" ? anyDouble : anyInteger;
  return values.map((value) => ({ kind: "leaf", type, value: normalize(type, value) }));
}

function treeOf(type: ScalarType, depth: number): fc.Arbitrary<Tree> {
  if (depth === 0) return leafOf(type);
  const below = (of: ScalarType) => treeOf(of, depth - 1);
  const converted = anyType.chain((from) =>
    below(from).map((operand): Tree => ({ kind: "convert", type, operand })),
  );
  if (type.kind === "boolean") {
    const compared = fc
      .tuple(fc.constantFrom(...comparisons), anyType)
      .chain(([operator, of]) =>
        fc
          .tuple(below(of), below(of))
          .map(([left, right]): Tree => ({ kind: "binary", operator, type: of, left, right })),
      );
    return fc.oneof(converted, compared);
  }
  const operators = type.kind === "float" ? (["+", "-", "*", "/"] as const) : arithmetic;
  const combined = fc
    .tuple(fc.constantFrom(...operators), below(type), below(type))
    .map(([operator, left, right]): Tree => ({ kind: "binary", operator, type, left, right }));
  const single = fc
    .tuple(
      fc.constantFrom<UnaryOperator>(
        ...(type.kind === "float" ? (["negate"] as const) : (["negate", "complement"] as const)),
      ),
      below(type),
    )
    .map(([operator, operand]): Tree => ({ kind: "unary", operator, type, operand }));
  return fc.oneof(leafOf(type), converted, { arbitrary: combined, weight: 4 }, single);
}

/** The type of what a tree gives: comparisons give booleans. */
function resultOf(tree: Tree): ScalarType {
  const isComparison = tree.kind === "binary" && (comparisons as readonly string[]).includes(tree.operator);
  return isComparison ? types.booleanType : tree.type;
}

/** Division by zero is 0 here and in the C text; the count of a shift is masked to the width in both. */
function evaluate(tree: Tree): Scalar {
  switch (tree.kind) {
    case "leaf":
      return tree.value;
    case "unary":
      return unary(tree.operator, tree.type, evaluate(tree.operand));
    case "convert":
      return convert(evaluate(tree.operand), resultOf(tree.operand), tree.type, "host");
    case "binary": {
      const [left, right] = [evaluate(tree.left), evaluate(tree.right)];
      const isShift = tree.operator === "<<" || tree.operator === ">>";
      const count = isShift ? binary("&", tree.type, right, bitsOf(tree.type) - 1) : right;
      return binary(tree.operator, tree.type, left, count ?? 0) ?? 0;
    }
  }
}

function bitsOf(type: ScalarType): number {
  return type.kind === "integer" ? type.bits : 8;
}

/** Leaves are read from an array, so that gcc folds nothing. */
function textOf(tree: Tree, leaves: Tree[]): string {
  const name = names.get(tree.type) ?? "";
  switch (tree.kind) {
    case "leaf":
      leaves.push(tree);
      return `(*(volatile ${name} *)&leaves[${leaves.length - 1}])`;
    case "unary":
      return `(${name})(${tree.operator === "negate" ? "-" : "~"}${textOf(tree.operand, leaves)})`;
    case "convert":
      return `(${name})(${textOf(tree.operand, leaves)})`;
    case "binary": {
      const [left, right] = [textOf(tree.left, leaves), textOf(tree.right, leaves)];
      const { operator, type } = tree;
      if ((operator === "/" || operator === "%") && type.kind === "integer") {
        return `(${name})${operator === "/" ? "quotient" : "rest"}_${name}(${left}, ${right})`;
      }
      if (operator === "<<" || operator === ">>") {
        return `(${name})(${left} ${operator} (${right} & ${bitsOf(type) - 1}))`;
      }
      return `(${name === "bool" || (comparisons as readonly string[]).includes(operator) ? "bool" : name})(${left} ${operator} ${right})`;
    }
  }
}

function divisionsOf(name: string): string {
  const isSigned = !name.startsWith("u");
  return [
    `static ${name} quotient_${name}(${name} a, ${name} b) { if (b == 0) return 0; ${isSigned ? "if (b == -1) return -a;" : ""} return a / b; }`,
    `static ${name} rest_${name}(${name} a, ${name} b) { if (b == 0) return 0; ${isSigned ? "if (b == -1) return 0;" : ""} return a % b; }`,
  ].join("\n");
}

function bitsText(value: Scalar, type: ScalarType): string {
  if (Number.isNaN(value)) return "nan";
  const view = new DataView(new ArrayBuffer(8));
  writeScalar(view, 0, type, value);
  return view.getBigUint64(0, true).toString(16);
}

function programOf(trees: readonly Tree[]): string {
  const integerNames = [...names].filter(([type]) => type.kind === "integer").map(([, name]) => name);
  const functions: string[] = [];
  const leafTable: string[] = [];
  trees.forEach((tree, at) => {
    const leaves: Tree[] = [];
    const name = names.get(resultOf(tree));
    const text = textOf(tree, leaves);
    const first = leafTable.length;
    leafTable.push(
      ...leaves.map((leaf) => (leaf.kind === "leaf" ? `0x${leafBits(leaf.value, leaf.type)}ull` : "0")),
    );
    functions.push(
      `static void f${at}(void) { volatile uint64_t *leaves = table + ${first}; ${name} r = ${text}; show(&r, sizeof r, ${resultOf(tree).kind === "float" ? "r != r" : "0"}); }`,
    );
  });
  return [
    "#include <stdint.h>",
    "#include <stdbool.h>",
    "#include <stdio.h>",
    "#include <string.h>",
    `static volatile uint64_t table[] = { ${leafTable.join(", ")} };`,
    `static void show(const void *p, int n, int isNan) { uint64_t bits = 0; memcpy(&bits, p, n); if (isNan) puts("nan"); else printf("%llx\\n", (unsigned long long)bits); }`,
    ...integerNames.map(divisionsOf),
    ...functions,
    `int main(void) { ${trees.map((_, at) => `f${at}();`).join(" ")} return 0; }`,
  ].join("\n");
}

function leafBits(value: Scalar, type: ScalarType): string {
  const view = new DataView(new ArrayBuffer(8));
  writeScalar(view, 0, type, value);
  return view.getBigUint64(0, true).toString(16);
}

it("equals compiled C on 3000 random expressions", { timeout: 120_000 }, () => {
  const trees = fc.sample(
    anyType.chain((type) => treeOf(type, 4)),
    { numRuns: 3000, seed: 20261121 },
  );
  const folder = mkdtempSync(join(tmpdir(), "warplint-semantics-"));
  try {
    writeFileSync(join(folder, "expressions.c"), programOf(trees));
    execFileSync("gcc", ["-O0", "-w", "-fwrapv", "-o", "expressions", "expressions.c"], { cwd: folder });
    const printed = execFileSync(join(folder, "expressions"), { encoding: "utf8" }).trim().split("\n");
    const differing = trees.flatMap((tree, at) => {
      const found = bitsText(evaluate(tree), resultOf(tree));
      return found === printed[at]
        ? []
        : [{ text: textOf(tree, []), leaves: leavesOf(tree), found, compiled: printed[at] }];
    });
    expect(printed).toHaveLength(trees.length);
    expect(differing.slice(0, 3)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function leavesOf(tree: Tree): string {
  const leaves: Tree[] = [];
  textOf(tree, leaves);
  return leaves.map((leaf) => (leaf.kind === "leaf" ? String(leaf.value) : "")).join(" ");
}
