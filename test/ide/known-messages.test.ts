// Messages of a session that is edited are those of a fresh one: what moves keeps its text, but for the lines that it names.
import { expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import { diagnosticsOf } from "../../server/src/ide/diagnostics.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { testPipeline } from "../support/pipeline.ts";
import { seedText } from "./analyse.ts";

const file = "/work/a.cu";
const pipeline = await testPipeline();

function sessionOver(first: string): { session: LintSession; edit(text: string): void } {
  let text = first;
  const host = {
    ...memoryHost({ [file]: first }, "/work"),
    readBytes: () => new TextEncoder().encode(text),
    sizeOf: () => text.length,
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  return {
    session,
    edit: (now) => {
      text = now;
      session.update([file]);
    },
  };
}

function messages(session: LintSession): readonly string[] {
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("nobody cancels");
  return diagnosticsOf(
    analysis,
    createPlaces(analysis.texts, (path) => path),
  ).map(({ message }) => message);
}

const seed = seedText("seed1_matrix_trans.cu");

it.each([
  ["lines above everything", `// one\n// two\n${seed}`],
  ["a line before the launches", seed.replace("int main", "\n\nint main").replace(/^(.*<<<)/m, "\n$1")],
  ["a space for a line", seed.replace("*a, *c;", "*a,\n*c;")],
  ["another block", seed.replace("32", "16")],
  ["one launch less", seed.replace(/^.*<<<.*$/m, "")],
  ["another pitch", seed.replace("[blockSizeY]", "[blockSizeY + 2]")],
])("after an edit of %s", (_, edited) => {
  expect(edited).not.toBe(seed);
  const { session, edit } = sessionOver(seed);
  const before = messages(session);
  expect(before.length).toBeGreaterThan(0);
  edit(edited);
  expect(messages(session)).toEqual(messages(sessionOver(edited).session));
  edit(seed);
  expect(messages(session)).toEqual(before);
});
