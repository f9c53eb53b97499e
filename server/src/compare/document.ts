// What a comparison reads of the JSON of `analyze` (docs/json.md): a saved report, or one that was just made.
import * as z from "zod/mini";

const count = z.nullable(z.number());
const figure = z.nullable(
  z.object({
    wavefronts: z.optional(z.number()),
    idealWavefronts: z.optional(z.number()),
    sectors: z.optional(z.number()),
    idealSectors: z.optional(z.number()),
  }),
);

const access = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
  expression: z.string(),
  space: z.string(),
  operation: z.string(),
  bytes: z.nullable(z.number()),
  verdict: z.string(),
  reason: z.nullable(z.string()),
  requests: count,
  totals: figure,
  perRequest: figure,
});

const launch = z.object({
  kernel: z.string(),
  templateArguments: z.array(z.string()),
  block: z.array(z.number()),
  grid: z.array(count),
  sharedBytes: count,
  count: z.number(),
  origin: z.object({ kind: z.string() }),
  accesses: z.array(access),
});

const report = z.object({
  schemaVersion: z.literal(1),
  files: z.array(z.object({ path: z.string(), launches: z.array(launch) })),
});

export type ReportDocument = z.output<typeof report>;
export type LaunchDocument = z.output<typeof launch>;
export type AccessDocument = z.output<typeof access>;

export type ReadReport =
  | { readonly kind: "report"; readonly report: ReportDocument }
  | { readonly kind: "error"; readonly message: string };

/** The report that a JSON value is, or why it is none. */
export function readReport(value: unknown): ReadReport {
  const result = z.safeParse(report, value);
  if (result.success) return { kind: "report", report: result.data };
  const [issue] = result.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  return {
    kind: "error",
    message: `not a report of \`warplint analyze\`${at}: ${issue?.message ?? "another shape"}`,
  };
}

/** The same of text. */
export function parseReport(text: string): ReadReport {
  try {
    return readReport(JSON.parse(text));
  } catch {
    return { kind: "error", message: "not a report of `warplint analyze`: not JSON" };
  }
}
