// Host programs as people write them: each names, in `//>` lines, the launches that it makes.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Program } from "../../server/src/ir/function.ts";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { lineStarts, positionAt, type SourceRange } from "../../server/src/text/source.ts";
import { programOf } from "./program-of.ts";

const folder = new URL("./programs/", import.meta.url);

describe("host programs", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".cu"));
  it.each(names.filter((name) => !isPending(name)))("%s", check);
  // Once these pass, their `//pending` line has to go.
  it.fails.each(names.filter(isPending))("%s", check);
});

function read(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

function isPending(name: string): boolean {
  return /^\/\/pending/m.test(read(name));
}

async function check(name: string): Promise<void> {
  const text = read(name);
  const expected = text.split("\n").flatMap((line) => (line.startsWith("//> ") ? [line.slice(4)] : []));
  const program = await programOf(name, text);
  const { launches } = findLaunches(program, { texts: new Map([[name, text]]) });
  expect(launches.map((launch) => describeLaunch(program, launch, text))).toEqual(expected);
}

function describeLaunch(program: Program, launch: Launch, text: string): string {
  const definition = program.functionOf(launch.kernel);
  const list = definition?.templateArguments ?? [];
  const starts = lineStarts(text);
  const line = (range: SourceRange) => positionAt(starts, range.start).line;
  const shape = (extents: readonly (number | null)[]) => `(${extents.map((each) => each ?? "?").join()})`;
  return [
    `${definition?.name}${list.length > 0 ? `<${list.join()}>` : ""}`,
    `grid ${shape(launch.grid)} block ${shape(launch.block)}`,
    ...(launch.sharedBytes === 0 ? [] : [`shared ${launch.sharedBytes}`]),
    `x${launch.count}`,
    `args ${launch.arguments.map(describeValue).join(", ")}`,
    `path ${launch.origin.path.map(line).join(" ")}`,
    ...(launch.assumptions.length > 0 ? [`| ${launch.assumptions.map(assumptionText).join(", ")}`] : []),
  ].join(" ");
}

function describeValue(value: HostValue): string {
  switch (value.kind) {
    case "scalar":
      return `${value.value}`;
    case "pointer":
      return `?p:${value.allocation.name}@${value.allocation.sizeBytes}`;
    case "null":
      return "null";
    case "aggregate":
      return `{${[...value.parts].map(([offset, part]) => `${offset}:${describeValue(part)}`).join(", ")}}`;
    case "unknown":
      return value.most === undefined ? "?" : `?<=${value.most}`;
  }
}
