// The configuration, once: types, checks, the JSON schema and the tables of the docs are all made from this. With the smaller of zod's two
// faces, for all of it is shipped.
import * as z from "zod/mini";

const severities = ["error", "warning", "information", "off"] as const;

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
const ratio = z.number().check(z.minimum(1));
const count = z.int().check(z.minimum(0));
const extentOfOne = z.int().check(z.minimum(1), z.maximum(2147483647));
const extent = z.union([extentOfOne, z.array(extentOfOne).check(z.minLength(1), z.maxLength(3))]);

const block = extent.check(
  z.refine((value) => [value].flat().reduce((threads, each) => threads * each, 1) <= 1024, {
    error: "a block has at most 1024 threads",
  }),
);

export const launchSchema = z
  .strictObject({
    block: block.check(z.describe("Threads of a block: one number, or [x, y, z].")),
    grid: z.optional(extent).check(z.describe("Blocks of the grid: one number, or [x, y, z].")),
    shared: z.optional(count).check(z.describe("Bytes of dynamic shared memory.")),
    arguments: z
      .optional(z.record(z.string(), z.number()))
      .check(z.describe("Values of the kernel's parameters, by name.")),
    templateArguments: z
      .optional(z.array(z.union([z.string(), z.int()])))
      .check(z.describe("Template arguments, in order.")),
  })
  .check(z.describe("How a kernel is launched."));

const samples = z.enum(["information", "unchanged"]);

const overrideSchema = z
  .strictObject({
    files: z
      .array(z.string())
      .check(
        z.minLength(1),
        z.describe("Files and folders, as .gitignore writes them, relative to the configuration."),
      ),
    rules: z.optional(z.partialRecord(z.enum(ruleIds), severity)).check(z.describe("As `rules`.")),
    thresholds: z
      .optional(
        z.strictObject({
          sharedWarning: z.optional(ratio),
          globalWarning: z.optional(ratio),
          globalInformation: z.optional(ratio),
          minorShare: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
        }),
      )
      .check(z.describe("As `thresholds`.")),
    samples: z.optional(samples).check(z.describe("As `samples`.")),
  })
  .check(z.describe("What holds for some files instead."));

export const configSchema = z
  .strictObject({
    $schema: z.optional(z.string()).check(z.describe("Where this schema lies, for editors.")),
    extends: z
      .optional(z.union([z.string(), z.array(z.string())]))
      .check(
        z.describe(
          "Other configurations, relative to this one, over which this one is laid key by key; a later one lies over an earlier one.",
        ),
      ),
    architecture: z
      ._default(z.enum(architectures), "sm_90")
      .check(z.describe("The GPU whose figures are predicted.")),
    rules: z
      ._default(z.partialRecord(z.enum(ruleIds), severity), {})
      .check(
        z.describe(
          "The severity of each rule's findings, instead of the default. Low-impact findings stay information. `off`: the rule does not run.",
        ),
      ),
    thresholds: z
      .prefault(
        z.strictObject({
          sharedWarning: z
            ._default(ratio, 1.1)
            .check(z.describe("A shared access warns from this many times its ideal wavefronts.")),
          globalWarning: z
            ._default(ratio, 2)
            .check(z.describe("A global access warns from this many times its ideal sectors.")),
          globalInformation: z
            ._default(ratio, 1.25)
            .check(z.describe("A global access is mentioned from this many times its ideal sectors.")),
          minorShare: z
            ._default(z.number().check(z.minimum(0), z.maximum(1)), 0.01)
            .check(z.describe("Below this share of its kernel's excess, a warning becomes information.")),
        }),
        {},
      )
      .check(z.describe("From which excess on a rule speaks.")),
    samples: z
      ._default(samples, "information")
      .check(
        z.describe(
          "The severity of warnings in samples, benchmarks and tests. A folder name (`samples`, `bench`, `unit_tests`) or the names of all build targets of a file tell which these are.",
        ),
      ),
    overrides: z
      ._default(z.array(overrideSchema), [])
      .check(z.describe("Rules and thresholds for some files; a later entry lies over an earlier one.")),
    launches: z
      ._default(z.record(z.string(), z.union([launchSchema, z.array(launchSchema)])), {})
      .check(z.describe("Launches by kernel name. They override the launches found in the source.")),
    defines: z
      ._default(
        z.record(z.string().check(z.regex(/^[A-Za-z_]\w*$/)), z.union([z.string(), z.int(), z.boolean()])),
        {},
      )
      .check(
        z.describe("Macros to define, as a compiler's -D; `true` defines as 1, `false` leaves undefined."),
      ),
    includePaths: z
      ._default(z.array(z.string()), [])
      .check(z.describe("Directories to search for included files, relative to the configuration.")),
    ignore: z
      ._default(z.array(z.string()), [])
      .check(z.describe("Files and folders that are not reported, as .gitignore writes them.")),
  })
  .check(
    z.describe(
      "The configuration of warplint: warplint.json, with comments and trailing commas if you like.",
    ),
  );

export type Config = Readonly<z.output<typeof configSchema>>;
export type ConfiguredLaunch = Readonly<z.output<typeof launchSchema>>;

/** What holds where nothing is configured. */
export const defaultConfig: Config = configSchema.parse({});
