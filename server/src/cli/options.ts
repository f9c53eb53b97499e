// What the options of the command line may be, and what is said where they are not.
import { InvalidArgumentError } from "commander";
import type { Tolerance } from "../compare/compare.ts";
import { type Architecture, architectures } from "../config/schema.ts";

export type Block = readonly [number, number, number];

/** "32,8", "32x8" or "256". */
export function parseBlock(text: string): Block {
  const extents = text
    .replace(/^\((.*)\)$/, "$1")
    .split(/[,x]/)
    .map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : 0));
  const [x = 0, y = 1, z = 1] = extents;
  const isValid = extents.length <= 3 && x > 0 && y > 0 && z > 0 && z <= 64 && x * y * z <= 1024;
  if (!isValid)
    throw new InvalidArgumentError(
      "a block is one to three numbers, such as 256 or 32,8, of at most 1024 threads.",
    );
  return [x, y, z];
}

export function parseArchitecture(text: string): Architecture {
  const found = architectures.find((architecture) => architecture === text);
  if (found === undefined) throw new InvalidArgumentError(`allowed: ${architectures.join(", ")}.`);
  return found;
}

export type Defines = Readonly<Record<string, string>>;

/** "NAME" (as 1) or "NAME=VALUE", added to those before. */
export function addDefine(text: string, before: Defines = {}): Defines {
  const match = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text);
  if (match === null) throw new InvalidArgumentError("a definition is NAME or NAME=VALUE.");
  const [, name = "", value = "1"] = match;
  return { ...before, [name]: value };
}

export function addPath(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** "5%" or "1000". */
export function parseTolerance(text: string): Tolerance {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError("it is a percentage, such as 5%, or a number.");
  return { kind: match[2] === "%" ? "percent" : "count", value: Number(match[1]) };
}

/** "0", "12". */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("it is a number, from 0.");
  return Number(text);
}

/** "4". */
export function parseJobs(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw new InvalidArgumentError("it is a number of threads, from 1.");
  return count;
}
