// Reads the statements of a makefile: assignments, conditionals, includes and rules, in their order, as make does.
import { isInside, resolvePath } from "../../text/path.ts";
import type { BuildHost } from "../flags.ts";
import { glob, isGlob } from "../worlds/glob.ts";
import {
  concat,
  emptyText,
  hasUnknown,
  join,
  linesOf,
  linesOfFile,
  slice,
  startOf,
  type Text,
  textOf,
  trim,
  trimStart,
  wordsOf,
} from "../worlds/text.ts";
import type { World } from "../worlds/world.ts";
import { expand } from "./expand.ts";
import { indexOutside, joined, logicalLine, recipeLine, withoutComment } from "./lines.ts";
import { emptyMakefile, type Makefile, type Recipe, type Rule } from "./makefile.ts";
import { namesIn } from "./names.ts";
import { patternOf, replaceStem, stemOf } from "./patterns.ts";
import { answerOfShell } from "./pure-shell.ts";
import type { Scope } from "./scope.ts";
import {
  assignmentIn,
  type Operator,
  type Source,
  strength,
  type Variable,
  VariableSet,
} from "./variables.ts";

const deepestInclude = 30;
const mostTargets = 20_000;

/** Reads makefiles into one `Makefile`. */
export class MakefileReader {
  readonly makefile: Makefile;
  readonly scope: Scope;
  private depth = 0;
  /** The rules that recipe lines belong to. */
  private open: { recipe: Recipe | null }[] | null = null;
  private openLines: Text[] = [];

  constructor(world: World, host: BuildHost, workspace: string, directory: string) {
    this.makefile = emptyMakefile(directory);
    this.scope = {
      world,
      host,
      workspace,
      directory,
      variables: this.makefile.variables,
      evaluate: (text) => this.evaluate(text),
      expanding: new Set(),
    };
  }

  /** Whether there was such a file. */
  readFile(file: string, written: string): boolean {
    const { world, host, workspace } = this.scope;
    if (!isInside(file, workspace)) return false;
    world.readFiles.add(file);
    const content = host.readText(file);
    if (content === null || this.depth >= deepestInclude) return false;
    const before = this.makefile.variables.find("MAKEFILE_LIST")?.value ?? emptyText;
    this.makefile.variables.own.set(
      "MAKEFILE_LIST",
      simple(concat(before, textOf(` ${written}`, { file, line: 1 })), "file"),
    );
    this.depth++;
    this.readLines(linesOfFile(file, content));
    this.closeRule();
    this.depth--;
    return true;
  }

  /** Lines that come of an expansion. */
  evaluate(text: Text): void {
    if (this.depth >= deepestInclude) return;
    const outer = { open: this.open, lines: this.openLines };
    this.open = null;
    this.openLines = [];
    this.depth++;
    this.readLines(linesOf(text));
    this.closeRule();
    this.depth--;
    this.open = outer.open;
    this.openLines = outer.lines;
  }

  private readLines(lines: readonly Text[]): void {
    const conditions: Condition[] = [];
    let index = 0;
    while (index < lines.length && this.scope.world.step()) {
      const { parts, next } = logicalLine(lines, index);
      index = next;
      const raw = parts[0] ?? emptyText;
      const prefix = this.recipePrefix();
      const isSkipped = conditions.some((condition) => condition.state !== "taken");
      if (raw.string.startsWith(prefix) && this.open !== null) {
        if (!isSkipped) this.openLines.push(recipeLine(parts, prefix));
        continue;
      }
      const line = trimStart(withoutComment(joined(parts)));
      if (line.string.trim() === "") continue;
      if (this.readCondition(line, conditions)) continue;
      const definition = definitionHead.exec(line.string);
      if (definition !== null) {
        index = this.readDefinition(line, definition, lines, index, isSkipped ? "skipped" : "read");
        continue;
      }
      if (isSkipped) continue;
      // A line with a tab outside of a rule is a statement where it can be one.
      this.readStatement(line, joined(parts));
    }
  }

  private recipePrefix(): string {
    return this.makefile.variables.find(".RECIPEPREFIX")?.value.string[0] ?? "\t";
  }

  /** Reads a line that begins, turns or ends a condition; false where it is none. */
  private readCondition(line: Text, conditions: Condition[]): boolean {
    const match = /^(ifeq|ifneq|ifdef|ifndef|else|endif)(?![\w-])\s*/.exec(line.string);
    if (match === null) return false;
    const [matched, word = ""] = match;
    // `else = x` is an assignment.
    if (assignmentIn(line.string) !== null && !word.startsWith("if")) return false;
    const rest = slice(line, matched.length);
    if (word === "endif") conditions.pop();
    else if (word === "else") {
      const current = conditions.at(-1);
      if (current === undefined) return true;
      const isOuterTaken = conditions.slice(0, -1).every((condition) => condition.state === "taken");
      if (current.state === "taken") current.state = "done";
      else if (current.state === "waiting") {
        const inner = /^(ifeq|ifneq|ifdef|ifndef)(?![\w-])\s*/.exec(rest.string);
        if (inner === null) current.state = "taken";
        else if (isOuterTaken && this.isMet(inner[1] ?? "", slice(rest, inner[0].length)))
          current.state = "taken";
      }
    } else {
      const isReached = conditions.every((condition) => condition.state === "taken");
      conditions.push({ state: !isReached ? "done" : this.isMet(word, rest) ? "taken" : "waiting" });
    }
    return true;
  }

  private isMet(kind: string, rest: Text): boolean {
    const { world } = this.scope;
    const origin = startOf(rest);
    if (kind === "ifdef" || kind === "ifndef") {
      const name = this.expand(rest).string.trim();
      const variable = this.makefile.variables.find(name);
      const isDefined =
        variable !== null &&
        !(variable.value.string === "" ? true : world.isEmpty(variable.value.string, origin));
      return isDefined === (kind === "ifdef");
    }
    const sides = comparedTexts(rest);
    if (sides === null) return false;
    const [left, right] = sides.map((side) => this.expand(side).string);
    return world.areEqual(left ?? "", right ?? "", origin) === (kind === "ifeq");
  }

  /** Reads a `define` up to its `endef`; gives the index behind. */
  private readDefinition(
    line: Text,
    head: RegExpExecArray,
    lines: readonly Text[],
    from: number,
    use: "read" | "skipped",
  ): number {
    const body: Text[] = [];
    let depth = 1;
    let index = from;
    while (index < lines.length) {
      const { parts, next } = logicalLine(lines, index);
      index = next;
      const text = joined(parts);
      const plain = text.string.startsWith("\t") ? "" : text.string.trim();
      if (/^define(?:\s|$)/.test(plain)) depth++;
      else if (/^endef(?:\s|#|$)/.test(plain) && --depth === 0) break;
      body.push(text);
    }
    if (use === "skipped") return index;
    const rest = slice(line, head[0].length);
    const operator = /\s*(:::=|::=|:=|\?=|\+=|!=|=)\s*$/.exec(rest.string);
    const name = this.expand(operator === null ? rest : slice(rest, 0, operator.index)).string.trim();
    const modifiers = head[1] ?? "";
    if (/\bexport\b/.test(modifiers)) this.makefile.exported.add(name);
    this.assign(this.makefile.variables, {
      name,
      operator: (operator?.[1] ?? "=") as Operator,
      value: join(body, "\n"),
      source: /\boverride\b/.test(modifiers) ? "override" : "file",
    });
    this.closeRule();
    return index;
  }

  private readStatement(line: Text, raw: Text): void {
    if (this.readAssignment(line)) return;
    const directive =
      /^(-?include|sinclude|export|unexport|vpath|override|private|undefine|load|-load)(?:\s+|$)/.exec(
        line.string,
      );
    if (directive !== null) {
      const rest = slice(line, directive[0].length);
      switch (directive[1]) {
        case "include":
        case "-include":
        case "sinclude":
          this.closeRule();
          this.include(rest, directive[1] === "include" ? "needed" : "optional");
          return;
        case "export":
        case "unexport":
          this.readExport(rest, directive[1]);
          return;
        case "vpath":
          this.readSearchPath(rest);
          return;
        case "override":
        case "private":
          this.readStatement(rest, rest);
          return;
        case "undefine":
          this.makefile.variables.own.delete(this.expand(rest).string.trim());
          return;
        default:
          return;
      }
    }
    this.readRule(trimEnd(raw));
  }

  /** `[export] [override] [private] NAME = value`. */
  private readAssignment(line: Text): boolean {
    let at = 0;
    let source: Source = "file";
    let isExported = false;
    for (;;) {
      const modifier = /^(override|export|private|unexport)\s+(?=[^\s:+?!=])/.exec(line.string.slice(at));
      if (modifier === null || assignmentIn(line.string, at)?.nameEnd === at + (modifier[1]?.length ?? 0))
        break;
      if (modifier[1] === "override") source = "override";
      if (modifier[1] === "export") isExported = true;
      at += modifier[0].length;
    }
    const found = assignmentIn(line.string, at);
    if (found === null) return false;
    const name = this.expand(slice(line, found.nameStart, found.nameEnd)).string.trim();
    if (name === "" || hasUnknown(name)) return true;
    this.closeRule();
    if (isExported) this.makefile.exported.add(name);
    const value = slice(line, found.valueStart);
    const start = value.string.search(/\S/);
    this.assign(this.makefile.variables, {
      name,
      operator: found.operator,
      value: slice(value, start === -1 ? value.string.length : start),
      source,
    });
    return true;
  }

  /** Sets a global variable. */
  assign(set: VariableSet, given: { name: string; operator: Operator; value: Text; source: Source }): void {
    const { name, operator, value, source } = given;
    const before = set.find(name);
    switch (operator) {
      case "=":
        set.set(name, { value, flavor: "recursive", source, appends: false });
        break;
      case ":=":
      case "::=":
      case ":::=":
        set.set(name, simple(this.expand(value), source));
        break;
      case "?=":
        if (before === null) set.set(name, { value, flavor: "recursive", source, appends: false });
        break;
      case "!=":
        set.set(name, simple(answerOfShell(this.expand(value), startOf(value), this.scope), source));
        break;
      case "+=": {
        const added = before?.flavor === "simple" ? this.expand(value) : value;
        if (before !== null && strength(before.source) > strength(source)) break;
        const texts = before === null || before.value.string === "" ? [added] : [before.value, added];
        set.set(name, {
          value: join(texts, " "),
          flavor: before?.flavor ?? "recursive",
          source,
          appends: false,
        });
      }
    }
    if (name === "MAKEFLAGS" || name === "GNUMAKEFLAGS") this.dropBuiltIn(this.expand(value).string);
  }

  private dropBuiltIn(flags: string): void {
    const words = flags.split(/\s+/);
    if (
      !words.some(
        (word) =>
          word === "--no-builtin-rules" ||
          word === "--no-builtin-variables" ||
          /^-?[a-zA-Z]*[rR][a-zA-Z]*$/.test(word),
      )
    )
      return;
    if (!words.some((word) => /^-?[a-z]*r[a-z]*$/i.test(word) || word.startsWith("--no-builtin"))) return;
    this.makefile.suffixes = this.makefile.suffixes.filter((suffix) => !builtInSuffixes.has(suffix));
  }

  private readExport(rest: Text, kind: "export" | "unexport"): void {
    const names = wordsOf(this.expand(rest)).map((word) => word.string);
    if (names.length === 0) this.makefile.exportsAll = kind === "export";
    for (const name of names) {
      if (kind === "export") this.makefile.exported.add(name);
      else {
        this.makefile.exported.delete(name);
        this.makefile.unexported.add(name);
      }
    }
  }

  private readSearchPath(rest: Text): void {
    const [pattern, ...directories] = wordsOf(this.expand(rest));
    if (pattern === undefined) this.makefile.searchPaths.length = 0;
    else if (directories.length === 0) {
      const kept = this.makefile.searchPaths.filter(
        (one) => `${one.pattern.prefix}%${one.pattern.suffix}` !== pattern.string,
      );
      this.makefile.searchPaths.splice(0, this.makefile.searchPaths.length, ...kept);
    } else {
      const parts = directories.flatMap((directory) =>
        directory.string.split(":").filter((part) => part !== ""),
      );
      this.makefile.searchPaths.push({ pattern: patternOf(pattern.string), directories: parts });
    }
  }

  private include(rest: Text, need: "needed" | "optional"): void {
    const { world, host, workspace, directory } = this.scope;
    for (const word of wordsOf(this.expand(rest))) {
      const origin = startOf(word);
      const string = world.resolved(word.string);
      if (hasUnknown(string)) {
        if (need === "needed")
          world.cannot(
            `include ${world.unknowns.written(string)}`,
            world.reasonOf(string)?.reason ?? "it is not known",
            origin,
          );
        continue;
      }
      const paths = isGlob(string) ? (glob(host, workspace, directory, string) ?? []) : [string];
      for (const path of paths) {
        const wasRead = this.readFile(resolvePath(directory, path), path);
        if (wasRead || (need === "optional" && /\.(?:d|dep|P)$|depend/i.test(path))) continue;
        const isOutside = !isInside(resolvePath(directory, path), workspace);
        if (need === "needed" || isOutside)
          world.cannot(
            `include ${path}`,
            isOutside ? "files outside of the workspace are not read" : "there is no such file",
            origin,
          );
      }
    }
  }

  private expand(text: Text): Text {
    return expand(text, this.scope);
  }

  private closeRule(): void {
    if (this.open !== null && this.openLines.length > 0) {
      const [first = emptyText] = this.openLines;
      const recipe: Recipe = { lines: this.openLines, origin: startOf(first) };
      for (const rule of this.open) rule.recipe = recipe;
    }
    this.open = null;
    this.openLines = [];
  }

  private readRule(raw: Text): void {
    this.closeRule();
    const { world } = this.scope;
    // A recipe may follow on the line, and begins in front of what would be a comment.
    const cut = indexOutside(raw.string, "#;");
    const recipe = cut !== -1 && raw.string[cut] === ";" ? slice(raw, cut + 1) : null;
    const head = withoutComment(cut === -1 ? raw : slice(raw, 0, cut));
    let colon = colonIn(head.string);
    let line = head;
    if (colon === -1) {
      line = this.expand(head);
      colon = colonIn(line.string);
      if (colon === -1) {
        if (line.string.trim() !== "" && !hasUnknown(line.string))
          world.cannot(line.string.trim(), "this is no statement of make", startOf(line));
        // `$(call rule,…)` that gives several lines.
        return;
      }
    }
    const isDoubleColon = line.string[colon + 1] === ":";
    const isGrouped = line.string[colon - 1] === "&";
    const targets = namesIn(this.expand(slice(line, 0, isGrouped ? colon - 1 : colon)), this.scope);
    const rest = slice(line, colon + (isDoubleColon ? 2 : 1));
    const behind = line === head ? slice(raw, colon + (isDoubleColon ? 2 : 1)) : rest;
    if (this.readTargetVariable(targets, recipe === null ? rest : behind)) return;
    const expandedRest = this.expand(rest);
    const second = indexOutside(expandedRest.string, ":");
    const isStatic = second !== -1 && !/^[\\/]/.test(expandedRest.string.slice(second + 1, second + 2));
    const pattern = isStatic ? patternOf(expandedRest.string.slice(0, second).trim()) : null;
    const prerequisites = isStatic ? slice(expandedRest, second + 1) : expandedRest;
    const bar = prerequisites.string.search(/(?:^|\s)\|(?:\s|$)/);
    const normal = bar === -1 ? prerequisites : slice(prerequisites, 0, bar);
    const orderOnly =
      bar === -1 ? emptyText : slice(prerequisites, prerequisites.string.indexOf("|", bar) + 1);
    this.record(targets, { normal, orderOnly, pattern, isDoubleColon });
    this.openLines = recipe === null || recipe.string.trim() === "" ? [] : [recipe];
    if (recipe !== null && recipe.string.trim() === "" && this.open !== null)
      for (const rule of this.open as { recipe: Recipe | null }[])
        rule.recipe = { lines: [], origin: startOf(raw) };
  }

  /** `target: NAME += value`. */
  private readTargetVariable(targets: readonly Text[], rest: Text): boolean {
    let at = 0;
    let source: Source = "file";
    let isExported = false;
    for (;;) {
      const modifier = /^\s*(override|export|private)\s+(?=[^\s:+?!=])/.exec(rest.string.slice(at));
      if (modifier === null) break;
      if (modifier[1] === "override") source = "override";
      if (modifier[1] === "export") isExported = true;
      at += modifier[0].length;
    }
    const found = assignmentIn(rest.string, at);
    if (found === null) return false;
    const name = this.expand(slice(rest, found.nameStart, found.nameEnd)).string.trim();
    const behind = slice(rest, found.valueStart);
    const value = slice(behind, Math.max(0, behind.string.search(/\S|$/)));
    if (isExported) this.makefile.exported.add(name);
    const globally = this.makefile.variables.find(name);
    if (globally !== null && source !== "override" && strength(globally.source) >= strength("command line"))
      return true;
    for (const target of targets) {
      const { string } = target;
      if (string.includes("%")) {
        const variable = this.targetVariable(null, name, found.operator, value, source);
        if (variable !== null)
          this.makefile.patternVariables.push({ pattern: patternOf(string), name, variable });
      } else {
        const set = this.targetVariablesOf(string);
        const variable = this.targetVariable(set, name, found.operator, value, source);
        if (variable !== null) set.own.set(name, variable);
      }
    }
    return true;
  }

  private targetVariablesOf(name: string): VariableSet {
    let set = this.makefile.targetVariables.get(name);
    if (set === undefined) {
      set = new VariableSet(null);
      this.makefile.targetVariables.set(name, set);
    }
    return set;
  }

  /** The variable that an assignment makes for one target; null where there is one already and the assignment is "?=". */
  private targetVariable(
    set: VariableSet | null,
    name: string,
    operator: Operator,
    value: Text,
    source: Source,
  ): Variable | null {
    const before = set?.own.get(name) ?? null;
    switch (operator) {
      case "=":
        return { value, flavor: "recursive", source, appends: false };
      case "?=":
        return before === null && this.makefile.variables.find(name) === null
          ? { value, flavor: "recursive", source, appends: false }
          : null;
      case "!=":
        return simple(answerOfShell(this.expand(value), startOf(value), this.scope), source);
      case "+=": {
        if (before === null) {
          const isSimple = this.makefile.variables.find(name)?.flavor === "simple";
          return {
            value: isSimple ? this.expand(value) : value,
            flavor: isSimple ? "simple" : "recursive",
            source,
            appends: true,
          };
        }
        const added = before.flavor === "simple" ? this.expand(value) : value;
        return { ...before, value: join([before.value, added], " ") };
      }
      default:
        return simple(this.expand(value), source);
    }
  }

  private record(
    targets: readonly Text[],
    given: {
      normal: Text;
      orderOnly: Text;
      pattern: ReturnType<typeof patternOf> | null;
      isDoubleColon: boolean;
    },
  ): void {
    const { makefile } = this;
    const { normal, orderOnly, pattern, isDoubleColon } = given;
    const { expandsAgain } = makefile;
    if (pattern === null && targets.some((target) => target.string.includes("%"))) {
      const rule = {
        targets: targets.map((target) => patternOf(target.string)),
        prerequisites: normal,
        orderOnly,
        recipe: null as Recipe | null,
        isTerminal: isDoubleColon,
        expandsAgain,
        source: "file" as const,
      };
      makefile.patternRules.push(rule);
      this.open = [rule];
      return;
    }
    const opened: Rule[] = [];
    for (const target of targets) {
      if (makefile.targets.size > mostTargets) break;
      const name = target.string;
      const origin = startOf(target);
      if (this.recordSpecial(name, normal)) continue;
      let stem: string | null = null;
      let own = normal;
      let ownOrderOnly = orderOnly;
      if (pattern !== null) {
        const match = stemOf(pattern, name);
        if (match === null || match === "unknown") continue;
        stem = match.stem;
        const stemText = textOf(match.stem, origin);
        own = join(
          wordsOf(normal).map((word) => replaceStem(word, stemText)),
          " ",
        );
        ownOrderOnly = join(
          wordsOf(orderOnly).map((word) => replaceStem(word, stemText)),
          " ",
        );
      } else if (!(expandsAgain && normal.string.includes("$"))) own = join(namesIn(normal, this.scope), " ");
      const rule: Rule = { prerequisites: own, orderOnly: ownOrderOnly, recipe: null, stem, expandsAgain };
      const before = makefile.targets.get(name);
      if (before === undefined) makefile.targets.set(name, { name, rules: [rule], isDoubleColon, origin });
      else before.rules.push(rule);
      for (const word of wordsOf(own)) makefile.mentioned.add(word.string);
      opened.push(rule);
      const goal = makefile.variables.find(".DEFAULT_GOAL");
      if (
        (goal === null || goal.value.string === "") &&
        !/^\.(?!.*\/)/.test(name) &&
        !isSuffixRule(name, makefile)
      )
        makefile.variables.own.set(".DEFAULT_GOAL", simple(textOf(name, origin), "file"));
    }
    this.open = opened;
  }

  /** Targets by which a makefile speaks to make; those that have recipes as well are recorded besides. */
  private recordSpecial(name: string, prerequisites: Text): boolean {
    const { makefile } = this;
    switch (name) {
      case ".SUFFIXES":
        if (prerequisites.string.trim() === "") makefile.suffixes = [];
        else makefile.suffixes.push(...wordsOf(prerequisites).map((word) => word.string));
        return true;
      case ".SECONDEXPANSION":
        makefile.expandsAgain = true;
        return true;
      case ".ONESHELL":
        makefile.isOneShell = true;
        return true;
      case ".EXPORT_ALL_VARIABLES":
        makefile.exportsAll = true;
        return true;
      case ".PHONY":
        for (const word of wordsOf(prerequisites)) makefile.mentioned.add(word.string);
        return false;
      default:
        return false;
    }
  }
}

interface Condition {
  /** "taken": its lines count; "waiting": an `else` may still; "done": none does. */
  state: "taken" | "waiting" | "done";
}

const definitionHead = /^((?:(?:override|export|private)\s+)*)define\s+(?=[^\s=:])/;

const builtInSuffixes = new Set([".out", ".a", ".o", ".c", ".cc", ".C", ".cpp", ".s", ".S", ".h"]);

function simple(value: Text, source: Source): Variable {
  return { value, flavor: "simple", source, appends: false };
}

function trimEnd(text: Text): Text {
  return slice(text, Math.max(0, text.string.search(/\S/)), text.string.trimEnd().length);
}

function isSuffixRule(name: string, makefile: Makefile): boolean {
  return (
    makefile.suffixes.includes(name) ||
    makefile.suffixes.some(
      (one) => name.startsWith(one) && makefile.suffixes.includes(name.slice(one.length)),
    )
  );
}

/** The colon that ends the targets of a rule; one behind a drive's letter is none. */
function colonIn(string: string): number {
  let at = indexOutside(string, ":");
  while (
    at !== -1 &&
    /(?:^|\s)[A-Za-z]$/.test(string.slice(Math.max(0, at - 2), at)) &&
    /^[\\/]/.test(string.slice(at + 1))
  )
    at = indexOutside(string, ":", at + 1);
  return at;
}

/** The two sides of `(a,b)` or `"a" "b"`. */
function comparedTexts(rest: Text): [Text, Text] | null {
  const { string } = rest;
  if (string.startsWith("(")) {
    let depth = 0;
    let comma = -1;
    for (let at = 0; at < string.length; at++) {
      const character = string[at];
      if (character === "(") depth++;
      else if (character === ")" && --depth === 0)
        return comma === -1 ? null : [trim(slice(rest, 1, comma)), trim(slice(rest, comma + 1, at))];
      else if (character === "," && depth === 1 && comma === -1) comma = at;
    }
    return null;
  }
  const quotes = /^(["'])(.*?)\1\s*(["'])(.*?)\3/.exec(string);
  if (quotes === null) return null;
  const [whole = "", , left = "", , right = ""] = quotes;
  const end = whole.length - 1;
  return [slice(rest, 1, 1 + left.length), slice(rest, end - right.length, end)];
}
