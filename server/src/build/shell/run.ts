// Reads a shell's text as the shell would run it: follows its variables and directories, and hands each command on. Nothing is executed.
import { isInside } from "../../text/path.ts";
import type { Origin } from "../flags.ts";
import { matcherOf } from "../worlds/glob.ts";
import { hasUnknown, join, linesOfFile, startOf, type Text, textOf } from "../worlds/text.ts";
import { arithmetic, type Capture, fieldsOf, pathIn, textOfWord } from "./expand.ts";
import { filteredLines } from "./filters.ts";
import { outputOf } from "./output.ts";
import { isList, type Shell, type Value } from "./scope.ts";
import { type Node, parseShell, type Setting } from "./syntax.ts";
import { holds } from "./test.ts";

/** How a command ends. A command of which nothing is known succeeds, unless somebody asks. */
type Status = boolean;

const deepest = 40;
const mostIterations = 2000;
/** `$?` while a command runs. */
const pending = "pending";

/** Reads `text` in `shell`, whose variables and directory are those behind it afterwards. */
export function runShell(text: Text, shell: Shell): void {
  run(parseShell(text), shell, "statement");
}

/** What a command would write, its last line ends taken away. */
export const capture: Capture = (command, shell) => {
  const inner: Shell = {
    ...shell,
    variables: new Map(shell.variables),
    output: [],
    leaving: null,
    depth: shell.depth + 1,
  };
  const { world } = shell;
  const unknown = () =>
    world.unknowns.textOf(
      `$(${world.unknowns.written(command.string)})`,
      "the output of a command is not known",
      startOf(command),
    );
  if (inner.depth > deepest) return unknown();
  runShell(command, inner);
  if (inner.output === "unknown" || inner.output === null) return unknown();
  return join(inner.output, "\n");
};

/** A shell within this one: what it sets and where it goes ends with it. */
function inside(shell: Shell): Shell {
  return { ...shell, variables: new Map(shell.variables), leaving: null };
}

function run(node: Node, shell: Shell, use: "statement" | "condition"): Status {
  if (shell.leaving !== null || !shell.world.step()) return true;
  switch (node.kind) {
    case "simple": {
      const value = runSimple(node.assignments, node.words, node.origin, shell, use);
      if (shell.status === pending) shell.status = value ? "0" : "1";
      return value;
    }
    case "sequence": {
      let status = true;
      for (const [index, part] of node.parts.entries()) {
        status = run(part, shell, index === node.parts.length - 1 ? use : "statement");
        if (shell.leaving !== null || shell.world.stopped !== null) break;
      }
      return status;
    }
    case "and":
      return run(node.left, shell, use) && run(node.right, shell, use);
    case "or":
      return run(node.left, shell, use) || run(node.right, shell, use);
    case "not":
      return !run(node.body, shell, use);
    case "pipe":
      return runPipe(node.parts, shell, use);
    case "if": {
      for (const arm of node.arms)
        if (run(arm.condition, shell, "condition")) return run(arm.body, shell, use);
      return node.otherwise === null ? true : run(node.otherwise, shell, use);
    }
    case "for":
      return runFor(node.name, node.words, node.body, shell);
    case "while":
      return runWhile(node.condition, node.body, node.until === "true", shell);
    case "case":
      return runCase(node, shell);
    case "function":
      shell.functions.set(node.name, node.body);
      return true;
    case "subshell": {
      const inner = inside(shell);
      const status = run(node.body, inner, use);
      shell.output = inner.output;
      return status;
    }
    case "arithmetic": {
      const value = arithmetic(node.text, node.text, shell, capture).string;
      if (hasUnknown(value))
        return (
          use === "condition" &&
          shell.world.decide(`((${node.text.string}))`, node.text.string, startOf(node.text))
        );
      return value !== "0";
    }
  }
}

function runFor(name: string, words: readonly Text[] | null, body: Node, shell: Shell): Status {
  const items = words === null ? (shell.parameters ?? []) : fieldsOf(words, shell, capture, "empty");
  let status = true;
  for (const item of items.slice(0, mostIterations)) {
    shell.variables.set(name, item);
    status = run(body, shell, "statement");
    if (endsLoop(shell)) break;
  }
  return status;
}

function runWhile(condition: Node, body: Node, until: boolean, shell: Shell): Status {
  for (let count = 0; count < mostIterations; count++) {
    const decided = shell.world.decisions.length;
    if (run(condition, shell, "condition") === until) break;
    run(body, shell, "statement");
    if (endsLoop(shell)) break;
    // What is not known has the same answer each time.
    if (shell.world.decisions.length > decided || count > 200) break;
  }
  return true;
}

/** Whether a loop is left; `continue` and `break` end with it. */
function endsLoop(shell: Shell): boolean {
  if (shell.leaving === "continue") shell.leaving = null;
  if (shell.leaving === "break") {
    shell.leaving = null;
    return true;
  }
  return shell.leaving !== null || shell.world.stopped !== null || !shell.world.step();
}

function runCase(node: Extract<Node, { kind: "case" }>, shell: Shell): Status {
  const subject = shell.world.resolved(textOfWord(node.subject, shell, capture, "empty").string);
  for (const { patterns, body } of node.arms) {
    for (const pattern of patterns) {
      const text = textOfWord(pattern, shell, capture, "empty").string;
      const isMatch =
        text === "*" ||
        (hasUnknown(subject) && !/[*?[]/.test(text)
          ? shell.world.areEqual(subject, text, startOf(pattern))
          : hasUnknown(subject + text)
            ? shell.world.decide(
                `${shell.world.unknowns.written(subject)} in ${shell.world.unknowns.written(text)}`,
                shell.world.unknowns.written(subject),
                startOf(pattern),
              )
            : matcherOf(text).test(subject));
      if (isMatch) return run(body, shell, "statement");
    }
  }
  return true;
}

/** Filters that hand on the lines that come in, in this order or another. */
function runPipe(parts: readonly Node[], shell: Shell, use: "statement" | "condition"): Status {
  const outer = shell.output;
  let lines: Text[] | "unknown" | null = null;
  let status = true;
  for (const [index, part] of parts.entries()) {
    const inner = inside(shell);
    inner.output = outer === null && index === parts.length - 1 ? null : [];
    const piped: Text[] | "unknown" | null = lines === null ? null : filtered(part, lines, shell);
    if (piped !== null) {
      lines = piped;
      continue;
    }
    status = run(part, inner, index === parts.length - 1 ? use : "statement");
    lines = index === 0 && inner.output !== null ? inner.output : "unknown";
  }
  if (outer !== null)
    shell.output =
      outer === "unknown" || lines === "unknown" || lines === null ? "unknown" : [...outer, ...lines];
  return status;
}

function filtered(part: Node, lines: Text[] | "unknown", shell: Shell): Text[] | "unknown" | null {
  if (part.kind !== "simple" || lines === "unknown") return null;
  const words = fieldsOf(part.words, shell, capture, "unknown").map((word) => word.string);
  return filteredLines(words, lines);
}

function runSimple(
  assignments: readonly Setting[],
  rawWords: readonly Text[],
  origin: Origin,
  shell: Shell,
  use: "statement" | "condition",
): Status {
  const first = rawWords[0]?.string ?? "";
  const isTest = first === "[" || first === "[[" || first === "test";
  const words = fieldsOf(rawWords, shell, capture, isTest ? "empty" : "unknown");
  const name = words[0]?.string ?? "";
  shell.status = pending;
  if (words.length === 0 || /^(?:export|local|declare|readonly|typeset)$/.test(name)) {
    for (const setting of assignments) assign(setting, shell);
    return true;
  }
  if (isTest) {
    const condition = first === "test" ? words.slice(1) : words.slice(1, -1);
    // A word that is empty is a word all the same.
    const value = holds(conditionWords(rawWords, condition, first, shell), shell, origin);
    return value;
  }
  return runNamed(name, words, origin, shell, use);
}

/** The words of a test; of `[[ … ]]` each word as one, as nothing is parted there. */
function conditionWords(
  rawWords: readonly Text[],
  fields: readonly Text[],
  first: string,
  shell: Shell,
): readonly Text[] {
  if (first !== "[[") return fields;
  return rawWords.slice(1, -1).map((word) => textOfWord(word, shell, capture, "empty"));
}

function assign(setting: Setting, shell: Shell): void {
  const value: Value = Array.isArray(setting.value)
    ? fieldsOf(setting.value as readonly Text[], shell, capture, "unknown")
    : textOfWord(setting.value as Text, shell, capture, "unknown");
  const before = shell.variables.get(setting.name);
  if (!setting.appends || before === undefined) shell.variables.set(setting.name, value);
  else if (isList(before))
    shell.variables.set(setting.name, [...before, ...(isList(value) ? value : [value])]);
  else if (isList(value)) shell.variables.set(setting.name, [before, ...value]);
  else shell.variables.set(setting.name, join([before, value], ""));
}

function runNamed(
  name: string,
  words: readonly Text[],
  origin: Origin,
  shell: Shell,
  use: "statement" | "condition",
): Status {
  const body = shell.functions.get(name);
  if (body !== undefined) return runFunction(body, words.slice(1), shell);
  switch (name) {
    case "cd":
    case "pushd":
      return changeDirectory(words, shell);
    case "popd":
      shell.directory = null;
      return true;
    case "exit":
      shell.leaving = "exit";
      if (/^[1-9]/.test(words[1]?.string ?? "") && shell.output === null)
        shell.world.stop("the script ends with an error");
      return true;
    case "return":
    case "break":
    case "continue":
      shell.leaving = name;
      return !/^[1-9]/.test(words[1]?.string ?? "") || name !== "return";
    case "shift":
      shell.parameters = shell.parameters?.slice(Number(words[1]?.string ?? "1") || 1) ?? null;
      return true;
    case "unset":
      for (const word of words.slice(1)) shell.variables.delete(word.string);
      return true;
    case "read":
      for (const word of words.slice(1))
        shell.variables.set(
          word.string,
          shell.world.unknowns.textOf(`$${word.string}`, "it is read when the script runs", origin),
        );
      return use !== "condition";
    case "getopts":
    case "false":
      return false;
    case "true":
    case ":":
    case "set":
    case "shopt":
    case "trap":
    case "wait":
      return true;
    case "eval":
      if (shell.depth > deepest) return true;
      shell.depth++;
      runShell(join(words.slice(1), " "), shell);
      shell.depth--;
      return true;
    case "time":
    case "exec":
    case "command":
    case "builtin":
    case "sudo":
    case "nice":
      if (words.length > 1 && !/^-/.test(words[1]?.string ?? ""))
        return runNamed(words[1]?.string ?? "", words.slice(1), origin, shell, use);
      break;
    case ".":
    case "source":
      return runScript(words[1], words.slice(2), shell, "here");
    case "sh":
    case "bash":
      return runInner(words.slice(1), shell);
  }
  if (/\.(?:sh|bash)$/.test(name)) return runScript(words[0], words.slice(1), shell, "apart");
  const written = outputOf(words, shell);
  if (written !== null && shell.output !== null) {
    if (written === "unknown" || shell.output === "unknown") shell.output = "unknown";
    else shell.output = [...shell.output, ...written];
  }
  const did = shell.command(words, shell, origin);
  if (did || written !== "unknown") return true;
  shell.status = null;
  if (use === "statement") return true;
  const command = shell.world.unknowns.written(join([...words], " ").string);
  return shell.world.decide(`if ${command}`, command, origin, "yes");
}

function changeDirectory(words: readonly Text[], shell: Shell): Status {
  const to = words.slice(1).find((word) => !/^-[LPe]*$/.test(word.string) || word.string === "-");
  const path = to === undefined || to.string === "-" ? null : pathIn(shell, shell.world.resolved(to.string));
  shell.directory = path;
  return true;
}

function runFunction(body: Node, parameters: readonly Text[], shell: Shell): Status {
  if (shell.depth > deepest) return true;
  const outer = shell.parameters;
  shell.parameters = parameters;
  shell.depth++;
  const status = run(body, shell, "statement");
  shell.depth--;
  shell.parameters = outer;
  const returned = shell.leaving === "return";
  if (returned) shell.leaving = null;
  return status;
}

/** `sh -c 'text'`, `bash script.sh`. */
function runInner(words: readonly Text[], shell: Shell): Status {
  const index = words.findIndex((word) => !word.string.startsWith("-"));
  const first = words[index];
  if (first === undefined) return true;
  const options = words.slice(0, index).map((word) => word.string);
  if (!options.some((option) => /^-[a-z]*c$/.test(option)))
    return runScript(first, words.slice(index + 1), shell, "apart");
  if (shell.depth > deepest) return true;
  const inner = { ...inside(shell), depth: shell.depth + 1, parameters: words.slice(index + 2) };
  runShell(first, inner);
  shell.output = inner.output;
  return true;
}

/** A script of the workspace. */
function runScript(
  file: Text | undefined,
  parameters: readonly Text[],
  shell: Shell,
  where: "here" | "apart",
): Status {
  const path = file === undefined ? null : pathIn(shell, shell.world.resolved(file.string));
  if (file === undefined || path === null || shell.depth > 8 || !isInside(path, shell.workspace)) {
    if (shell.output !== null) shell.output = "unknown";
    return true;
  }
  shell.world.readFiles.add(path);
  const content = shell.host.readText(path);
  if (content === null) {
    if (shell.output !== null) shell.output = "unknown";
    return true;
  }
  const text = join(linesOfFile(path, content), "\n");
  const inner: Shell =
    where === "here"
      ? shell
      : {
          ...inside(shell),
          functions: new Map(shell.functions),
          parameters,
          script: textOf(path, startOf(file)),
        };
  const depth = shell.depth;
  inner.depth = depth + 1;
  runShell(text, inner);
  inner.depth = depth;
  if (where === "here") {
    if (shell.leaving === "return") shell.leaving = null;
  } else shell.output = inner.output;
  return true;
}
