// The configuration, once: types, checks, the JSON schema and the tables of the docs are all made from this.
import * as z from "zod";

export const severities = ["error", "warning", "information", "off"] as const;

export const ruleIds = [
  "shared-bank-conflict",
  "uncoalesced-access",
  "misaligned-vector-access",
  "ineffective-padding",
  "vectorizable-access",
  "unused-suppression",
] as const;

export const architectures = [
  "sm_70",
  "sm_75",
  "sm_80",
  "sm_86",
  "sm_87",
  "sm_89",
  "sm_90",
  "sm_100",
  "sm_120",
] as const;

export type RuleId = (typeof ruleIds)[number];
export type ConfiguredSeverity = (typeof severities)[number];
export type Severity = Exclude<ConfiguredSeverity, "off">;
export type Architecture = (typeof architectures)[number];

const severity = z.enum(severities);
const ratio = z.number().min(1);
const count = z.int().min(0);
const extent = z.union([
  z.int().min(1).max(2147483647),
  z.array(z.int().min(1).max(2147483647)).min(1).max(3),
]);

const block = extent.refine((value) => [value].flat().reduce((threads, each) => threads * each, 1) <= 1024, {
  error: "a block has at most 1024 threads",
});

const launchSchema = z
  .strictObject({
    block: block.describe("Threads of a block: one number, or [x, y, z]."),
    grid: extent.optional().describe("Blocks of the grid: one number, or [x, y, z]."),
    shared: count.optional().describe("Bytes of dynamic shared memory."),
    arguments: z
      .record(z.string(), z.number())
      .optional()
      .describe("Values of the kernel's parameters, by name."),
    templateArguments: z
      .array(z.union([z.string(), z.int()]))
      .optional()
      .describe("Template arguments, in order."),
  })
  .describe("How a kernel is launched.");

export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe("Where this schema lies, for editors."),
    architecture: z.enum(architectures).default("sm_90").describe("The GPU whose figures are predicted."),
    rules: z
      .partialRecord(z.enum(ruleIds), severity)
      .default({})
      .describe(
        "The severity of each rule's findings, in place of its own; what a rule plays down to information stays that. `off`: the rule does not run.",
      ),
    thresholds: z
      .strictObject({
        sharedWarning: ratio
          .default(1.1)
          .describe("A shared access warns from this many times its ideal wavefronts."),
        globalWarning: ratio
          .default(2)
          .describe("A global access warns from this many times its ideal sectors."),
        globalInformation: ratio
          .default(1.25)
          .describe("A global access is mentioned from this many times its ideal sectors."),
        minorShare: z
          .number()
          .min(0)
          .max(1)
          .default(0.01)
          .describe("Below this share of its kernel's excess, a warning becomes information."),
      })
      .prefault({})
      .describe("From which excess on a rule speaks."),
    launches: z
      .record(z.string(), z.union([launchSchema, z.array(launchSchema)]))
      .default({})
      .describe("How kernels are launched, by kernel name; these stand in place of what the source says."),
    defines: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([z.string(), z.int(), z.boolean()]))
      .default({})
      .describe("Macros to define, as a compiler's -D; `true` defines as 1, `false` leaves undefined."),
    includePaths: z
      .array(z.string())
      .default([])
      .describe("Directories to search for included files, relative to the configuration."),
    ignore: z
      .array(z.string())
      .default([])
      .describe("Files and folders that are not reported, as .gitignore writes them."),
  })
  .describe("The configuration of warplint: warplint.json, with comments and trailing commas if you like.");

export type Config = Readonly<z.output<typeof configSchema>>;
export type ConfiguredLaunch = Readonly<z.output<typeof launchSchema>>;

/** What holds where nothing is configured. */
export const defaultConfig: Config = configSchema.parse({});

/** The JSON schema of `warplint.json`, for editors. */
export function configJsonSchema(): object {
  // Draft 7 is what every editor reads; nothing here needs a later one.
  return z.toJSONSchema(configSchema, { io: "input", target: "draft-7" });
}

/** `defines` as the preprocessor takes them: name to replacement text. */
export function definesOf(config: Config): Record<string, string> {
  const defines: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.defines)) {
    if (value === true) defines[name] = "1";
    else if (value !== false) defines[name] = String(value);
  }
  return defines;
}
