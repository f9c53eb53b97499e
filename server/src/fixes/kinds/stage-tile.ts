// Accesses whose lanes lie a row apart, staged through a padded tile of shared memory: each thread hands its element to the one that accesses
// the array along its rows.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sharedFigure } from "../../hardware/figure.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { substituted, threadAxesOf } from "../text/locals.ts";
import { asFactor } from "../text/spelling.ts";
import { isEarlyReturn, mentionsAny, pathTo, type TypedNode } from "../text/statement-tree.ts";
import { freshNameIn } from "../text/statements.ts";
import { offsetsOf, type Span, type TypedTexts, textAt } from "../text/typed-text.ts";
import { type ElementType, elementTypeOf } from "./element-type.ts";
import {
  type Extents,
  indentAt,
  indented,
  indentStep,
  type KernelText,
  kernelText,
  negated,
  ofKernel,
} from "./kernel-text.ts";
import { extentNames, otherThreads } from "./launch-shape.ts";
import { type Role, roleOf, type TilePlace } from "./thread-role.ts";

/** The one way to stage the access. */
export function stageTileCandidates(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  return ofKernel(kernelText(access, launches, texts), (kernel) => {
    const { typed, blocks } = kernel;
    if (blocks.some(([x, y, z]) => x === 1 || y === 1 || z !== 1)) return refusal(otherThreads);
    const axes = threadAxesOf(typed, kernel.access);
    if (!axes.has("x") || !axes.has("y"))
      return refusal(
        `the index of ${access.target?.name ?? "the array"} does not follow both axes of the block`,
      );
    const element = elementTypeOf(access, typed, kernel.body);
    if (element === null) return refusal("what the array holds cannot be named");
    const site = siteOf(kernel, access);
    if (typeof site === "string") return refusal(site);
    const role = roleOf(kernel, site, access.operation === "store" ? "Out" : "In");
    if (typeof role === "string") return refusal(role);
    const tile = tileOf(kernel, element, texts, role);
    const edits =
      access.operation === "store"
        ? storeEdits(kernel, site, role, tile)
        : loadEdits(kernel, site, role, tile);
    if (typeof edits === "string") return refusal(edits);
    return candidatesFound([candidateOf(access, edits, tile)]);
  });
}

/** Where an access stands. */
export interface AccessSite {
  /** From the kernel's body inwards; the last is the statement itself. */
  readonly path: readonly TypedNode[];
  readonly top: TypedNode;
  readonly statement: Span;
  /** Returns of threads that have nothing to do, before it. */
  readonly returns: readonly (TypedNode & { readonly kind: "if" })[];
  /** Conditions that it hangs on. */
  readonly guards: readonly Span[];
}

const barriers = new Set(["__syncthreads", "__syncwarp", "asm"]);

function siteOf({ typed, nodes, access }: KernelText, { operation }: AccessProfile): AccessSite | string {
  const path = pathTo(nodes, access.first);
  const [top] = path;
  const last = path.at(-1);
  if (top === undefined || last === undefined || last.kind !== "plain")
    return "the access decides what runs next";
  const others = path.slice(0, -1);
  if (others.some((node) => node.kind === "if" && node.otherwise !== null))
    return "the access has an else beside it";
  if (mentionsAny(typed, top.span, barriers)) return "barriers stand around the access";
  const isStore = operation === "store";
  if (isStore && (last.span.first !== access.first || !/^[-+*/|&^]?=$/.test(textAt(typed, access.end))))
    return "the store is not a statement of its own";
  const place = nodes.indexOf(top);
  const returns: (TypedNode & { readonly kind: "if" })[] = [];
  for (const node of nodes.slice(0, place)) {
    if (node.kind === "if" && isEarlyReturn(typed, node)) returns.push(node);
    else if (mentionsAny(typed, node.span, new Set(["return"])))
      return "threads leave the kernel before the access";
  }
  const guards = others.flatMap((node) => (node.kind === "if" ? [node.condition] : []));
  return {
    path,
    top,
    statement: last.span,
    returns,
    guards: [...returns.map(({ condition }) => condition), ...guards],
  };
}

interface Tile {
  readonly name: string;
  readonly element: ElementType;
  readonly dimensions: readonly string[];
  /** The index of the steps of a loop. */
  readonly step: string | null;
  /** Bits of the row that are XORed to the column, where no pad does as well. */
  readonly mask: number;
}

function tileOf(kernel: KernelText, element: ElementType, texts: TypedTexts, { loop, steps }: Role): Tile {
  const width = Math.max(...kernel.blocks.map(([x]) => x));
  const height = loop?.extent.value ?? Math.max(...kernel.blocks.map(([, y]) => y));
  const names = loop === null ? extentNames(kernel.launches, texts, kernel.body.first) : { x: null, y: null };
  const shapes = kernel.blocks.map(([x, y]): Extents => [x, loop?.extent.value ?? y, 1]);
  const { pad, mask } = layoutOf(shapes, width, element.bytes);
  const columns = names.x ?? loop?.extent.text ?? String(width);
  const rows = names.y ?? loop?.extent.text ?? String(height);
  const padded = /^\d+$/.test(columns) ? String(width + pad) : `${columns} + ${pad}`;
  const dimensions = [rows, pad === 0 ? columns : padded];
  return {
    name: freshNameIn(kernel.typed, kernel.body, "tile"),
    element,
    dimensions: steps === null ? dimensions : [steps.count, ...dimensions],
    step: steps?.variable ?? null,
    mask,
  };
}

/** Of a tile that is written along its rows and read along its columns: the fewest wavefronts, then the fewest elements. */
function layoutOf(shapes: readonly Extents[], width: number, bytes: number): { pad: number; mask: number } {
  const costOf = (pad: number, mask: number) =>
    shapes.reduce((sum, shape) => sum + tileCost(shape, { pitch: width + pad, mask, bytes }), 0);
  const costs = Array.from({ length: mostPad + 1 }, (_, pad) => costOf(pad, 0));
  const least = Math.min(...costs);
  const [shape, ...others] = shapes;
  const isSmallSquare =
    shape !== undefined && others.length === 0 && shape[0] === shape[1] && lanes % width === 0;
  const mask = isSmallSquare ? (width - 1) & ~(lanes / width - 1) : 0;
  if (mask !== 0 && costOf(0, mask) < least) return { pad: 0, mask };
  return { pad: costs.indexOf(least), mask: 0 };
}

const mostPad = 8;
const lanes = 32;

interface TileLayout {
  readonly pitch: number;
  readonly mask: number;
  readonly bytes: number;
}

function tileCost([x, y]: Extents, { pitch, mask, bytes }: TileLayout): number {
  const placeAt = (row: number, column: number) => row * pitch + (column ^ (row & mask));
  const cost = (operation: "load" | "store", placeOf: (thread: number) => number) =>
    sharedFigure({
      laneAddresses: Array.from({ length: lanes }, (_, lane) =>
        lane < x * y ? placeOf(lane) * bytes : null,
      ),
      bytes,
      operation,
      variant: operation,
    }).cost;
  return (
    cost("store", (thread) => placeAt(Math.floor(thread / x), thread % x)) +
    cost("load", (thread) => placeAt(thread % y, Math.floor(thread / y)))
  );
}

/** The value goes to the tile where it was stored, and from there to its place behind the statement. */
function storeEdits(kernel: KernelText, site: AccessSite, role: Role, tile: Tile): TextEdit[] | string {
  const { typed, access, nodes } = kernel;
  const { top, returns } = site;
  const indent = indentAt(typed, top.span.first);
  const [accessStart, accessEnd] = offsetsOf(typed, access);
  const [topStart, topEnd] = offsetsOf(typed, top.span);
  const operator = typed.tokens[access.end];
  if (operator === undefined) return "the store is not a statement of its own";
  const edit = (start: number, end: number, newText: string): TextEdit => ({
    file: typed.file,
    start,
    end,
    newText,
  });
  const toTile = `${elementAt(tile, role.own)}${typed.text.slice(accessEnd, operator.start)}=`;
  const last = `${role.rewrite(access)} ${operator.text} ${elementAt(tile, role.other)};`;
  const tail = ["__syncthreads();", ...role.declarations, guarded(kernel, site, role, last)];
  const behind = topEnd + (/^[^\S\n]*\/\/[^\n]*/.exec(typed.text.slice(topEnd))?.[0].length ?? 0);
  const append = (lines: readonly string[]) =>
    edit(behind, behind, lines.map((line) => `\n${indent}${line}`).join(""));
  const declaration = `${declarationOf(tile)}\n${indent}`;
  const [firstReturn] = returns;
  if (firstReturn === undefined) {
    return topStart === accessStart
      ? [edit(topStart, operator.end, declaration + toTile), append(tail)]
      : [edit(topStart, topStart, declaration), edit(accessStart, operator.end, toTile), append(tail)];
  }
  if (nodes.at(-1) !== top) return "more code follows the access after some threads have left";
  const places = returns.map((node) => nodes.indexOf(node));
  const next = nodes[(places.at(-1) ?? 0) + 1];
  if (next === undefined || !places.every((place, index) => place === (places[0] ?? 0) + index))
    return "threads leave the kernel at several places";
  const condition = returns.map((node) => negated(typed, node.condition)).join(" && ");
  const [returnStart] = offsetsOf(typed, firstReturn.span);
  const [, returnsEnd] = offsetsOf(typed, returns.at(-1)?.span ?? firstReturn.span);
  const opening = `${declaration}if (${condition}) `;
  const isShort =
    next === top && top.kind === "plain" && typed.text.slice(returnsEnd, topStart).trim() === "";
  if (isShort && topStart === accessStart)
    return [edit(returnStart, operator.end, opening + toTile), append(tail)];
  return [
    edit(returnStart, returnsEnd, `${opening}{`),
    ...indented(typed, returnsEnd, topEnd),
    edit(accessStart, operator.end, toTile),
    append(["}", ...tail]),
  ];
}

/** The element is fetched into the tile before the statement, by the thread that accesses the array along its rows. */
function loadEdits(kernel: KernelText, site: AccessSite, role: Role, tile: Tile): TextEdit[] | string {
  const { typed, access } = kernel;
  const { top, returns } = site;
  const before = returns[0] ?? top;
  const [start] = offsetsOf(typed, before.span);
  if (role.needs.some((index) => index > before.span.first))
    return "the parts of the index are only known after a return";
  const indent = indentAt(typed, before.span.first);
  const fetch = `${elementAt(tile, role.other)} = ${role.rewrite(access)};`;
  const lines = [
    declarationOf(tile),
    ...role.declarations,
    guarded(kernel, site, role, fetch),
    "__syncthreads();",
  ];
  const [accessStart, accessEnd] = offsetsOf(typed, access);
  return [
    { file: typed.file, start, end: start, newText: `${lines.join(`\n${indent}`)}\n${indent}` },
    { file: typed.file, start: accessStart, end: accessEnd, newText: elementAt(tile, role.own) },
  ];
}

function declarationOf({ name, element, dimensions }: Tile): string {
  return `__shared__ ${element.text} ${name}${dimensions.map((each) => `[${each}]`).join("")};`;
}

function elementAt({ name, step, mask }: Tile, { row, column }: TilePlace): string {
  const swizzled = mask === 0 ? column : `${asFactor(column)} ^ (${row} & ${mask})`;
  return `${name}${step === null ? "" : `[${step}]`}[${row}][${swizzled}]`;
}

/** A statement under the conditions of the access, for the thread in its other role. */
function guarded(
  { typed }: KernelText,
  { path, returns, top }: AccessSite,
  role: Role,
  statement: string,
): string {
  const indent = indentAt(typed, top.span.first);
  const left = returns.map(({ condition }) => role.rewriteText(negated(typed, condition), condition));
  if (role.loop !== null || left.length > 0) {
    const conditions = path.flatMap((node) =>
      node.kind === "if" ? [conjunct(role.rewrite(node.condition))] : [],
    );
    const all = [...left, ...conditions].join(" && ");
    const inner = all === "" ? statement : `if (${all}) ${statement}`;
    if (role.steps !== null)
      return left.length === 0
        ? asTyped(path, 0)
        : `if (${left.join(" && ")})\n${indent}${indentStep(typed)}${asTyped(path, 0)}`;
    if (role.loop === null) return inner;
    return `${substituted(typed, role.loop.header, () => null)}\n${indent}${indentStep(typed)}${inner}`;
  }
  return asTyped(path, 0);

  /** With the author's own spaces and braces. */
  function asTyped(nodesOfPath: readonly TypedNode[], depth: number): string {
    const node = nodesOfPath[depth];
    const child = nodesOfPath[depth + 1];
    if (node === undefined || child === undefined) return statement;
    const inner = asTyped(nodesOfPath, depth + 1);
    if (node.kind === "if" || node.kind === "loop") {
      const closer = node.kind === "if" ? node.condition.end : node.head.end;
      const head = role.rewrite({ first: node.span.first, end: closer + 1 });
      return head + gap(closer, child.span.first) + inner;
    }
    if (node.kind !== "block") return inner;
    const opened = `{${gap(node.span.first, (node.body[0] ?? child).span.first)}`;
    const closed = `${gap((node.body.at(-1) ?? child).span.end - 1, node.span.end - 1)}}`;
    return opened + inner + closed;
  }

  /** The white space between two tokens, without comments. */
  function gap(from: number, to: number): string {
    const text = typed.text.slice(typed.tokens[from]?.end ?? 0, typed.tokens[to]?.start ?? 0);
    if (text.trim() === "") return text;
    const lines = text.split("\n");
    return lines.length === 1 ? " " : `\n${lines.at(-1)?.trimStart() === "" ? lines.at(-1) : indent}`;
  }
}

/** A condition that others are joined to. */
function conjunct(text: string): string {
  return /\|\||\?/.test(text) ? asFactor(text) : text;
}

function candidateOf(
  access: AccessProfile,
  edits: readonly TextEdit[],
  { name, dimensions }: Tile,
): Candidate {
  return {
    kind: "stage-tile",
    edits,
    title: {
      kind: "stage-tile",
      array: access.target?.name ?? "",
      operation: access.operation === "store" ? "store" : "load",
      tile: name,
      dimensions,
    },
    safety: "suggestion",
    operations: 0,
    estimate: null,
  };
}
