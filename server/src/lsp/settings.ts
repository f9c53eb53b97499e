// From what a client calls its settings to what lies over warplint.json. Unset (null, "", {}, []) is no setting.
import { configSchema } from "../config/schema.ts";
import type { ConfigOverrides } from "../project/project.ts";

/** Where editors keep them: "warplint.architecture" and so on. */
export const settingsSection = "warplint";

export interface EditorSettings {
  readonly overrides: ConfigOverrides;
  /** As they stand in the settings: relative to the folder. */
  readonly includePaths: readonly string[];
  /** Which accesses have their figure at the end of the line. */
  readonly inlayHints: InlayHintSetting;
  /** What is not allowed, in words, for the log. */
  readonly problems: readonly string[];
}

export type InlayHintSetting = (typeof inlayHintSettings)[number];

/** The first holds where none is set. */
const inlayHintSettings = ["excess", "all", "off"] as const;

export const noSettings: EditorSettings = {
  overrides: {},
  includePaths: [],
  inlayHints: "excess",
  problems: [],
};

/** Reads the section `warplint` of a client's settings. Keys that are not the configuration's belong to the client. */
export function readSettings(section: unknown): EditorSettings {
  if (!isRecord(section)) return noSettings;
  const overrides: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, schema] of Object.entries(configSchema.shape)) {
    const value = withoutUnset(section[key]);
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) overrides[key] = onlyGiven(parsed.data, value);
    else
      problems.push(
        `${settingsSection}.${key}: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
      );
  }
  const { includePaths, ...rest } = overrides;
  return {
    overrides: rest as ConfigOverrides,
    includePaths: Array.isArray(includePaths) ? includePaths : [],
    inlayHints: inlayHintSettings.find((each) => each === section.inlayHints) ?? noSettings.inlayHints,
    problems,
  };
}

/** A schema fills in what is missing; what was not given must not lie over the configuration. */
function onlyGiven(parsed: unknown, given: unknown): unknown {
  if (!isRecord(parsed) || !isRecord(given)) return parsed;
  return Object.fromEntries(Object.entries(parsed).filter(([key]) => key in given));
}

function withoutUnset(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const kept = withoutUnset(each);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
