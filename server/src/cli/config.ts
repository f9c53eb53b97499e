// The command `config`: what holds for a file or a directory, and where that is written.
import { unreadText } from "../host/host.ts";
import type { DirectorySettings, Project } from "../project/project.ts";
import { buildJson, buildText, type PathText } from "../render/build.ts";
import { relativeTo, resolvePath } from "../text/path.ts";
import { type CommandOptions, projectOf, report } from "./linted.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface ConfigOptions extends CommandOptions {
  readonly format: "text" | "json";
}

/** Prints the configuration after defaults and options, and of a file what its build passes to the compiler. */
export function printConfig(path: string, options: ConfigOptions, terminal: Terminal): ExitCode {
  const { host } = terminal;
  const project = projectOf(options, host);
  const absolute = resolvePath(host.currentDirectory, path);
  const kind = host.kindOf(absolute);
  if (kind === "missing" && !isMade(absolute, project)) {
    report(terminal, { file: path, message: unreadText(kind), detail: null });
    return 2;
  }
  const isFile = kind !== "directory";
  const around = project.settingsIn(isFile ? resolvePath(absolute, "..") : absolute);
  const contexts = isFile ? project.contextsOf(absolute) : null;
  const errors = [around, contexts].find((each) => each?.kind === "errors");
  if (errors?.kind === "errors" || around.kind === "errors") {
    for (const { file, position, message } of errors?.kind === "errors" ? errors.errors : [])
      report(terminal, { file: `${file}:${position.line}:${position.column}`, message, detail: null });
    return 2;
  }
  const ways = contexts?.kind === "settings" ? contexts.settings : [];
  const [first] = ways;
  const pathText = (each: string) => relativeTo(host.currentDirectory, each);
  const settings = first ?? around.settings;
  if (options.format === "text") {
    const flags = first === undefined ? "" : buildText(absolute, first.build, ways, pathText);
    terminal.write(`${flags}${configurationText(settings, pathText)}`);
  } else {
    const flags = first === undefined ? {} : buildJson(first.build, ways, pathText);
    const { config, configFile, workspace } = settings;
    terminal.write(`${JSON.stringify({ configFile, workspace, ...config, ...flags }, null, 2)}\n`);
  }
  return 0;
}

/** Whether a build makes the file and compiles it. */
function isMade(file: string, project: Project): boolean {
  return project.descriptionOf(file)?.sources.some(({ path }) => path === file) ?? false;
}

function configurationText({ config, configFile, workspace }: DirectorySettings, path: PathText): string {
  const from = configFile === null ? "no warplint.json" : path(configFile);
  return `\nFigures are of ${config.architecture}; ${from}; the workspace is ${workspace}\n`;
}
