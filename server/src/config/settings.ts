// The settings of editors: the configuration's keys once more, as VS Code contributes them. They lie over warplint.json, key by key, so
// none has a default of its own: unset is "as warplint.json says, or warplint itself".
import { configJsonSchema } from "./json-schema.ts";

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A property of `contributes.configuration`. */
export type ContributedSetting = Readonly<Record<string, unknown>>;

/** The settings that are not configuration of the linter but of the editor's extension. */
const ownSettings: Readonly<Record<string, ContributedSetting>> = {
  "warplint.inlayHints": {
    type: "string",
    enum: ["excess", "all", "off"],
    default: "excess",
    scope: "resource",
    markdownDescription:
      "Figures at the end of the line: of accesses with excess only, of all accesses, or none. `editor.inlayHints.enabled` turns them off, too.",
  },
  "warplint.heatBar": {
    type: "boolean",
    default: true,
    scope: "resource",
    markdownDescription:
      "Marks in the gutter and in the overview ruler by the share of a line in the file's excess: red from 50 %, orange from 10 %, yellow from 1 %.",
  },
  "warplint.trace.server": {
    type: "string",
    enum: ["off", "messages", "verbose"],
    default: "off",
    scope: "window",
    description: "Write the messages between client and server to the output channel.",
  },
};

/** `contributes.configuration.properties` of the extension's manifest. */
export function contributedSettings(): Record<string, ContributedSetting> {
  return { ...settingsOf("warplint", configJsonSchema() as Schema), ...ownSettings };
}

/** What is said of places in a project stands in its warplint.json. */
const ofFilesAlone: ReadonlySet<string> = new Set(["$schema", "extends", "overrides"]);

function settingsOf(prefix: string, schema: Schema): Record<string, ContributedSetting> {
  const settings: Record<string, ContributedSetting> = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const name = `${prefix}.${key}`;
    if (ofFilesAlone.has(key)) continue;
    if (property.properties !== undefined) Object.assign(settings, settingsOf(name, property));
    else settings[name] = settingOf(property);
  }
  return settings;
}

function settingOf(property: Schema): ContributedSetting {
  const { description, ...schema } = property;
  const text = { scope: "resource", markdownDescription: description ?? "" };
  if (property.type === "object") return { ...schema, ...text, default: {} };
  if (property.type === "array") return { ...schema, ...text, default: [] };
  if (property.enum !== undefined)
    return {
      ...schema,
      enum: ["", ...property.enum],
      enumItemLabels: ["not set", ...property.enum.map(String)],
      default: "",
      scope: "resource",
      markdownDescription: `${description ?? ""} Not set: what warplint.json says, else \`${String(property.default)}\`.`,
    };
  const unset = `${description ?? ""} Not set: what warplint.json says, else \`${String(property.default)}\`.`;
  return {
    ...schema,
    type: [property.type, "null"],
    default: null,
    scope: "resource",
    markdownDescription: unset,
  };
}
