// What the tools are given, as schemas with descriptions: a client shows these to its model.
import * as z from "zod/mini";
import { architectures, launchSchema } from "../config/schema.ts";

function described<Schema extends z.ZodMiniType>(schema: Schema, text: string): Schema {
  return schema.check(z.describe(text)) as Schema;
}

const launch = z.strictObject({
  kernel: described(z.optional(z.string()), "Which kernel; not needed where the text has one."),
  ...launchSchema.shape,
});

const settings = {
  launch: described(
    z.optional(launch),
    "How the kernel is launched. Without it the launches in the source count; where there are none, several blocks are tried.",
  ),
  arch: described(
    z.optional(z.enum(architectures)),
    "The GPU whose figures to predict; sm_90 if nothing says.",
  ),
  defines: described(
    z.optional(z.record(z.string(), z.union([z.string(), z.int(), z.boolean()]))),
    "Macros, as a compiler's -D.",
  ),
};

/** One source: a file of the workspace, or a text. */
export const sourceShape = {
  file: described(
    z.optional(z.string()),
    "A CUDA file of the workspace, or a Python file with kernels in strings. Give this or `text`.",
  ),
  text: described(
    z.optional(z.string()),
    "CUDA source: a kernel with what it needs, with or without a host.",
  ),
  path: described(
    z.optional(z.string()),
    "Where `text` belongs in the workspace: its includes, configuration and launches hold. Without it the text stands alone.",
  ),
  string: described(
    z.optional(z.int().check(z.minimum(1))),
    "Of a Python file: which of its strings with kernels, from 1. The first if not given.",
  ),
  ...settings,
};

export const placeShape = {
  ...sourceShape,
  line: described(z.int().check(z.minimum(1)), "The line of the access, from 1."),
  column: described(z.optional(z.int().check(z.minimum(1))), "Its column, where the line has several."),
};

export const fixShape = {
  ...sourceShape,
  fix: described(
    z.int().check(z.minimum(1)),
    "The number that `fixes` gave it for the same source and launch.",
  ),
};

export const comparedShape = {
  before: described(z.string(), "The text as it was."),
  after: described(z.string(), "The text as it is now."),
  path: sourceShape.path,
  ...settings,
};

const source = z.object(sourceShape);
export type SourceInput = z.output<typeof source>;
export type LaunchInput = NonNullable<SourceInput["launch"]>;
const place = z.object(placeShape);
export type PlaceInput = z.output<typeof place>;
const fix = z.object(fixShape);
export type FixInput = z.output<typeof fix>;
const compared = z.object(comparedShape);
export type ComparedInput = z.output<typeof compared>;
