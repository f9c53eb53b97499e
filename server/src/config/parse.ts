// From the text of a warplint.json to a configuration, or to what is wrong with it and where.
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type * as z from "zod/mini";
import { lineStarts, type Position, positionAt } from "../text/source.ts";
import { type Config, configSchema } from "./schema.ts";

export interface ConfigError {
  readonly file: string;
  readonly position: Position;
  /** What is wrong and what is allowed: one sentence. */
  readonly message: string;
  /** What whoever checks the file against its JSON schema finds as well. */
  readonly isOfSchema?: true;
}

export type ConfigResult =
  | {
      readonly kind: "config";
      readonly config: Config;
      /** As it stands in the file, without defaults. */
      readonly written: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "errors"; readonly errors: readonly ConfigError[] };

/** Reads `text` (JSON with comments and trailing commas). Never throws. */
export function parseConfig(file: string, text: string): ConfigResult {
  const starts = lineStarts(text);
  const errorAt = (offset: number, message: string): ConfigError => ({
    file,
    position: positionAt(starts, offset),
    message,
    isOfSchema: true,
  });
  if (text.trim() === "") {
    const message = "the file is empty; it must hold an object: {}";
    return { kind: "errors", errors: [{ file, position: positionAt(starts, 0), message }] };
  }
  const syntaxErrors: ParseError[] = [];
  const root = parseTree(text, syntaxErrors, { allowTrailingComma: true, disallowComments: false });
  if (syntaxErrors.length > 0 || root === undefined) {
    const [first] = syntaxErrors;
    return { kind: "errors", errors: [errorAt(first?.offset ?? 0, syntaxMessage(first))] };
  }
  const written = plainValue(root);
  const parsed = configSchema.safeParse(written);
  if (parsed.success)
    return { kind: "config", config: parsed.data, written: written as Readonly<Record<string, unknown>> };
  const errors = parsed.error.issues.flatMap((issue) => describeIssue(issue, root, errorAt));
  return { kind: "errors", errors };
}

/** Where `text` has what stands at `path`, an object's entry at its key; null where it has nothing there. */
export function keyPosition(text: string, path: readonly PathStep[]): Position | null {
  const root = parseTree(text, [], { allowTrailingComma: true, disallowComments: false });
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (node === undefined) return null;
  const isEntry = node.parent?.type === "property";
  return positionAt(lineStarts(text), (isEntry ? node.parent?.offset : undefined) ?? node.offset);
}

type ErrorAt = (offset: number, message: string) => ConfigError;

function describeIssue(issue: z.core.$ZodIssue, root: Node, errorAt: ErrorAt): ConfigError[] {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const node = nearestNode(root, path);
  const name = path.join(".") || "the configuration";
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => {
        const allowed = allowedKeys(path);
        const rest = allowed === null ? "" : `; allowed here: ${allowed.join(", ")}`;
        return errorAt(keyOffset(node, key), `unknown key "${key}"${rest}`);
      });
    case "invalid_key": {
      const key = path.at(-1) ?? "";
      const allowed = allowedKeys(path.slice(0, -1)) ?? null;
      const rest = allowed === null ? "" : `; allowed here: ${allowed.join(", ")}`;
      const parent = nearestNode(root, path.slice(0, -1));
      return [errorAt(keyOffset(parent, String(key)), `"${key}" is not allowed as a key${rest}`)];
    }
    case "invalid_value":
      return [
        errorAt(node.offset, `${name} is ${show(node)}; allowed: ${issue.values.map(String).join(", ")}`),
      ];
    case "invalid_type":
      return [
        errorAt(node.offset, `${name} ${stateOf(root, path)}; it must be ${typeWords(issue.expected)}`),
      ];
    case "invalid_union": {
      const inner = deepestBranch(issue);
      if (inner.length > 0) return inner.flatMap((each) => describeNested(each, issue, root, errorAt));
      return [errorAt(node.offset, `${name} ${stateOf(root, path)}; it must be ${unionWords(issue)}`)];
    }
    case "too_small":
      return [
        errorAt(
          node.offset,
          `${name} is ${show(node)}; it must ${boundWords("at least", issue.minimum, issue.origin)}`,
        ),
      ];
    case "too_big":
      return [
        errorAt(
          node.offset,
          `${name} is ${show(node)}; it must ${boundWords("at most", issue.maximum, issue.origin)}`,
        ),
      ];
    default:
      return [errorAt(node.offset, `${name}: ${issue.message}`)];
  }
}

/**
 * Of a union, the complaints of the branch that got furthest into the value: those that help. One that wants a value of another type did not
 * get into it. Empty where none did.
 */
function deepestBranch(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const isOtherType = ({ code, path }: z.core.$ZodIssue) => code === "invalid_type" && path.length === 0;
  const depthOf = (branch: readonly z.core.$ZodIssue[]) =>
    branch.some(isOtherType)
      ? 0
      : Math.max(...branch.map(({ code, path }) => path.length + (code === "invalid_type" ? 0 : 1)));
  const inside = issue.errors.filter((branch) => depthOf(branch) > 0);
  return inside.sort((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
}

function describeNested(
  inner: z.core.$ZodIssue,
  outer: z.core.$ZodIssue,
  root: Node,
  errorAt: ErrorAt,
): ConfigError[] {
  return describeIssue({ ...inner, path: [...outer.path, ...inner.path] } as z.core.$ZodIssue, root, errorAt);
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  const words = issue.errors.flatMap((branch) =>
    branch[0]?.code === "invalid_type" ? [typeWords(branch[0].expected)] : [],
  );
  return [...new Set(words)].join(" or ") || "something else";
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

function typeWords(expected: string): string {
  return typeNames[expected] ?? expected;
}

/** "be at least 1", "have at most 3 entries". */
function boundWords(bound: "at least" | "at most", limit: number | bigint, origin: string): string {
  if (origin === "array") return `have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return origin === "string" ? `have ${bound} ${limit} characters` : `be ${bound} ${limit}`;
}

/** "is 3", "is missing": what stands at `path`. */
function stateOf(root: Node, path: readonly PathStep[]): string {
  const node = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
  return node === undefined ? "is missing" : `is ${show(node)}`;
}

/** The value as the user wrote it, short. */
function show(node: Node): string {
  if (node.type === "object") return "an object";
  if (node.type === "array") return "an array";
  return JSON.stringify(node.value) ?? "nothing";
}

type PathStep = string | number;

/** The keys that the schema allows in the object at `path`; null where any key goes. */
function allowedKeys(path: readonly PathStep[]): string[] | null {
  let schema: unknown = configSchema;
  for (const step of path) schema = stepInto(unwrap(schema), step);
  const found = unwrap(schema);
  return keysOf(found) ?? null;
}

interface SchemaNode {
  readonly def?: {
    readonly type?: string;
    readonly innerType?: unknown;
    readonly shape?: Readonly<Record<string, unknown>>;
    readonly keyType?: unknown;
    readonly valueType?: unknown;
    readonly element?: unknown;
    readonly options?: readonly unknown[];
    readonly entries?: Readonly<Record<string, string>>;
  };
}

function unwrap(schema: unknown): unknown {
  let at = schema as SchemaNode | undefined;
  for (let depth = 0; depth < 8 && at?.def?.innerType !== undefined; depth++)
    at = at.def.innerType as SchemaNode;
  return at;
}

function stepInto(schema: unknown, step: PathStep): unknown {
  const def = (schema as SchemaNode | undefined)?.def;
  if (def?.shape) return def.shape[String(step)];
  if (def?.options) {
    const branch = def.options.find((option) =>
      typeof step === "number"
        ? (unwrap(option) as SchemaNode).def?.element !== undefined
        : (unwrap(option) as SchemaNode).def?.shape !== undefined,
    );
    return stepInto(unwrap(branch), step);
  }
  return typeof step === "number" ? def?.element : def?.valueType;
}

function keysOf(schema: unknown): string[] | null {
  const def = (schema as SchemaNode | undefined)?.def;
  if (def?.shape) return Object.keys(def.shape);
  if (def?.options)
    return def.options.map((option) => keysOf(unwrap(option))).find((keys) => keys !== null) ?? null;
  const entries = (unwrap(def?.keyType) as SchemaNode | undefined)?.def?.entries;
  return entries === undefined ? null : Object.keys(entries);
}

function nearestNode(root: Node, path: readonly PathStep[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length) as PathStep[]);
    if (node !== undefined) return node;
  }
  return root;
}

function keyOffset(object: Node, key: string): number {
  const property = object.children?.find((child) => child.children?.[0]?.value === key);
  return property?.offset ?? object.offset;
}

function plainValue(node: Node): unknown {
  switch (node.type) {
    case "object": {
      const entries = (node.children ?? []).map(({ children }) => {
        const [key, value] = children ?? [];
        return [String(key?.value), value === undefined ? undefined : plainValue(value)] as const;
      });
      return Object.fromEntries(entries);
    }
    case "array":
      return (node.children ?? []).map(plainValue);
    default:
      return node.value;
  }
}

function syntaxMessage(error: ParseError | undefined): string {
  if (error === undefined) return "there is no value in the file; it must hold an object: {}";
  const words = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `this is not JSON: ${words}`;
}
