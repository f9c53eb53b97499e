// build.ninja: its variables, rules and edges, to the runs of compilers in the commands.
import { directoryOf, resolvePath } from "../text/path.ts";
import type { CompilerCommand } from "./command/command.ts";
import { targetsOfCommands } from "./command-targets.ts";
import type { BuildDescription, BuildHost, Unresolved } from "./flags.ts";
import { readShellLine } from "./shell-line.ts";

/** A file's variables, and those of the file that it stands in by `subninja`. */
interface Scope {
  readonly variables: Map<string, string>;
  readonly rules: Map<string, ReadonlyMap<string, string>>;
  readonly around: Scope | null;
}

interface Edge {
  readonly rule: string;
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  readonly scope: Scope;
  readonly file: string;
  readonly line: number;
}

interface Reading {
  readonly host: BuildHost;
  readonly directory: string;
  readonly edges: Edge[];
  readonly readFiles: string[];
  readonly unresolved: Unresolved[];
}

const maximumFiles = 500;
const maximumEdges = 200_000;
const maximumLength = 1_000_000;

/** Reads a build.ninja. Its paths are relative to its directory, which is that of the build. Only commands that name a compiler or an archiver are looked at further. */
export function readNinja(host: BuildHost, file: string): BuildDescription | null {
  const directory = directoryOf(file);
  const reading: Reading = { host, directory, edges: [], readFiles: [], unresolved: [] };
  readFile(reading, file, { variables: new Map(), rules: new Map(), around: null });
  const phony = new Map<string, readonly string[]>();
  const commands: CompilerCommand[] = [];
  const readFiles = new Set(reading.readFiles);
  for (const edge of reading.edges) {
    if (edge.rule === "phony") {
      for (const output of edge.outputs)
        phony.set(
          resolvePath(directory, output),
          edge.inputs.map((input) => resolvePath(directory, input)),
        );
      continue;
    }
    for (const command of commandsOf(reading, edge)) {
      for (const path of command.readFiles) if (host.kindOf(path) === "file") readFiles.add(path);
      commands.push(command);
    }
  }
  if (commands.length === 0) return null;
  const { sources, targets } = targetsOfCommands(commands.map((command) => withoutPhony(command, phony)));
  return {
    kind: "ninja",
    file,
    readFiles: [...readFiles],
    sources,
    targets,
    generatedFiles: [],
    unresolved: reading.unresolved,
    others: null,
  };
}

/** `$in` may name what a phony edge stands for. */
function withoutPhony(
  command: CompilerCommand,
  phony: ReadonlyMap<string, readonly string[]>,
): CompilerCommand {
  if (command.link === null || !command.link.inputs.some((input) => phony.has(input))) return command;
  const inputs = command.link.inputs.flatMap((input) => phony.get(input) ?? [input]);
  return { ...command, link: { ...command.link, inputs } };
}

function readFile(reading: Reading, file: string, scope: Scope): void {
  if (reading.readFiles.length >= maximumFiles) return;
  reading.readFiles.push(file);
  const text = reading.host.readText(file);
  if (text === null) {
    if (reading.readFiles.length > 1) {
      reading.unresolved.push({
        what: file,
        reason: "it can't be read",
        origin: { file: reading.readFiles[0] ?? file, line: 1 },
      });
    }
    return;
  }
  const lines = logicalLines(text);
  for (let at = 0; at < lines.length; at++) {
    const one = lines[at];
    if (one === undefined || one.text.trim() === "" || /^\s*#/.test(one.text)) continue;
    const block: Map<string, string> = new Map();
    const bindings: (readonly [string, string])[] = [];
    while (
      /^[ \t]+[^\s#]/.test(lines[at + 1]?.text ?? "") ||
      /^\s*(?:#.*)?$/.test(lines[at + 1]?.text ?? "x")
    ) {
      const binding = /^\s+([\w.-]+)\s*=\s*(.*)$/s.exec(lines[++at]?.text ?? "");
      if (binding !== null) bindings.push([binding[1] ?? "", binding[2] ?? ""]);
    }
    readStatement(reading, file, scope, one, block, bindings);
  }
}

function readStatement(
  reading: Reading,
  file: string,
  scope: Scope,
  line: { readonly text: string; readonly line: number },
  block: Map<string, string>,
  bindings: readonly (readonly [string, string])[],
): void {
  const word = /^(rule|build|default|pool|include|subninja)\s+(.*)$/s.exec(line.text);
  if (word === null) {
    const assignment = /^([\w.-]+)\s*=\s*(.*)$/s.exec(line.text);
    if (assignment !== null)
      scope.variables.set(
        assignment[1] ?? "",
        expanded(assignment[2] ?? "", (name) => variable(scope, name)),
      );
    return;
  }
  const [, keyword, rest = ""] = word;
  if (keyword === "rule") {
    // Bindings of a rule are expanded where an edge uses them.
    for (const [name, value] of bindings) block.set(name, value);
    scope.rules.set(rest.trim(), block);
  } else if (keyword === "include" || keyword === "subninja") {
    const path = resolvePath(
      reading.directory,
      expanded(rest.trim(), (name) => variable(scope, name)),
    );
    readFile(
      reading,
      path,
      keyword === "include" ? scope : { variables: new Map(), rules: new Map(), around: scope },
    );
  } else if (keyword === "build" && reading.edges.length < maximumEdges) {
    const lookUp = (name: string): string => block.get(name) ?? variable(scope, name);
    for (const [name, value] of bindings) block.set(name, expanded(value, lookUp));
    const edge = edgeOf(rest, lookUp);
    if (edge !== null) reading.edges.push({ ...edge, variables: block, scope, file, line: line.line });
  }
}

/** `out | implicit: rule in | implicit || order |@ validation`. */
function edgeOf(
  text: string,
  lookUp: (name: string) => string,
): Pick<Edge, "rule" | "outputs" | "inputs"> | null {
  const { before, after } = colonIn(text);
  if (after === null) return null;
  const paths = (part: string): string[] => {
    const own = part.split(/(?<![$])\|/)[0] ?? "";
    // Paths are parted by spaces that no "$" stands before.
    return (own.match(/(?:\$(?:.|$)|[^\s$])+/gs) ?? []).map((one) => expanded(one, lookUp));
  };
  const [, rule = "", inputs = ""] = /^\s*([\w.-]+)(.*)$/s.exec(after) ?? [];
  return { rule, outputs: paths(before), inputs: paths(inputs) };
}

function colonIn(text: string): { before: string; after: string | null } {
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === "$") at++;
    else if (text.charAt(at) === ":" && !/^:[\\/]/.test(text.slice(at, at + 2))) {
      return { before: text.slice(0, at), after: text.slice(at + 1) };
    }
  }
  return { before: text, after: null };
}

function variable(scope: Scope, name: string): string {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const value = at.variables.get(name);
    if (value !== undefined) return value;
  }
  return "";
}

function ruleOf(scope: Scope, name: string): ReadonlyMap<string, string> | null {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const rule = at.rules.get(name);
    if (rule !== undefined) return rule;
  }
  return null;
}

const maximumDepth = 16;

function commandsOf(reading: Reading, edge: Edge): readonly CompilerCommand[] {
  const rule = ruleOf(edge.scope, edge.rule);
  const command = rule?.get("command");
  if (rule === null || command === undefined) return [];
  let depth = 0;
  // As ninja has it: the edge's own, then the rule's, then the file's.
  const lookUp = (name: string): string => {
    if (name === "in") return edge.inputs.map(quoted).join(" ");
    if (name === "in_newline") return edge.inputs.map(quoted).join("\n");
    if (name === "out") return edge.outputs.map(quoted).join(" ");
    const own = edge.variables.get(name);
    if (own !== undefined) return own;
    const ofRule = rule.get(name);
    if (ofRule === undefined || depth >= maximumDepth) return variable(edge.scope, name);
    depth++;
    const value = expanded(ofRule, lookUp);
    depth--;
    return value;
  };
  const line = expanded(command, lookUp);
  if (!looksLikeCompiler.test(line)) return [];
  const responseFile = lookUp("rspfile");
  const host =
    responseFile === ""
      ? reading.host
      : withFile(reading.host, resolvePath(reading.directory, responseFile), lookUp("rspfile_content"));
  return readShellLine(host, line, reading.directory, { file: edge.file, line: edge.line }).commands;
}

const looksLikeCompiler = /nvcc|cc\b|\+\+|clang|\bcl\b|\bar\b|icp[cx]/i;

/** A response file is there while its command runs alone. */
function withFile(host: BuildHost, path: string, text: string): BuildHost {
  return {
    readText: (one) => (one === path ? text : host.readText(one)),
    kindOf: (one) => (one === path ? "file" : host.kindOf(one)),
    list: (directory) => host.list(directory),
  };
}

/** A path as ninja writes it into a command. */
function quoted(path: string): string {
  return /^[\w./+:@%=,-]*$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** "$x", "${x}", "$$", "$ ", "$:", and a "$" at the end of a line. */
function expanded(text: string, lookUp: (name: string) => string): string {
  const whole = text.replace(
    /\$(?:\{([\w.-]+)\}|([\w-]+)|\n[ \t]*|(.))/gs,
    (_, braced: string | undefined, plain: string | undefined, other: string | undefined) => {
      const name = braced ?? plain;
      return name === undefined ? (other ?? "") : lookUp(name);
    },
  );
  return whole.length > maximumLength ? "" : whole;
}

/** Lines, those that end in "$" joined with the next; `line` is 1-based. */
function logicalLines(text: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  let open = "";
  let start = 1;
  text.split(/\r?\n/).forEach((raw, at) => {
    const line = open === "" ? raw : open + raw.trimStart();
    if (open === "") start = at + 1;
    // An even number of "$" is no mark of a joined line.
    if ((/\$+$/.exec(raw)?.[0].length ?? 0) % 2 === 1) {
      open = line.slice(0, -1);
      return;
    }
    lines.push({ text: line, line: start });
    open = "";
  });
  if (open !== "") lines.push({ text: open, line: start });
  return lines;
}
