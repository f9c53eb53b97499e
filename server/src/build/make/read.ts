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
  trimStart,
  wordsOf,
} from "../worlds/text.ts";
import type { World } from "../worlds/world.ts";
import { assign, assignmentOf, assignTo, type Given } from "./assign.ts";
import { type Condition, readCondition } from "./conditions.ts";
import { expand } from "./expand.ts";
import { indexOutside, joined, logicalLine, recipeLine, withoutComment } from "./lines.ts";
import { emptyMakefile, type Makefile, type Recipe } from "./makefile.ts";
import { namesIn } from "./names.ts";
import { patternOf } from "./patterns.ts";
import { recordRule } from "./record.ts";
import type { Scope } from "./scope.ts";
import { type Operator, simple } from "./variables.ts";

const deepestInclude = 30;

/** Reads makefiles into one `Makefile`. */
export class MakefileReader {
  readonly makefile: Makefile;
  readonly scope: Scope;
  private depth = 0;
  /** The rules that recipe lines belong to. */
  private open: readonly { recipe: Recipe | null }[] | null = null;
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
      if (readCondition(line, conditions, this.scope)) continue;
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
    this.assign({
      name,
      operator: (operator?.[1] ?? "=") as Operator,
      value: join(body, "\n"),
      source: /\boverride\b/.test(modifiers) ? "override" : "file",
      isExported: /\bexport\b/.test(modifiers),
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
    const given = assignmentOf(line, this.scope);
    if (given === null) return false;
    if (given.name === "" || hasUnknown(given.name)) return true;
    this.closeRule();
    this.assign(given);
    return true;
  }

  private assign(given: Given): void {
    if (given.isExported) this.makefile.exported.add(given.name);
    assign(given, this.scope);
    if (given.name === "MAKEFLAGS" || given.name === "GNUMAKEFLAGS")
      dropBuiltIn(expand(given.value, this.scope).string, this.makefile);
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
    const given = assignmentOf(recipe === null ? rest : behind, this.scope);
    if (given !== null) {
      assignTo(targets, given, this.makefile, this.scope);
      return;
    }
    const expandedRest = this.expand(rest);
    const second = indexOutside(expandedRest.string, ":");
    const isStatic = second !== -1 && !/^[\\/]/.test(expandedRest.string.slice(second + 1, second + 2));
    const pattern = isStatic ? patternOf(expandedRest.string.slice(0, second).trim()) : null;
    const prerequisites = isStatic ? slice(expandedRest, second + 1) : expandedRest;
    const bar = prerequisites.string.search(/(?:^|\s)\|(?:\s|$)/);
    const normal = bar === -1 ? prerequisites : slice(prerequisites, 0, bar);
    const orderOnly =
      bar === -1 ? emptyText : slice(prerequisites, prerequisites.string.indexOf("|", bar) + 1);
    this.open = recordRule({ targets, normal, orderOnly, pattern, isDoubleColon }, this.makefile, this.scope);
    this.openLines = recipe === null || recipe.string.trim() === "" ? [] : [recipe];
    if (recipe !== null && recipe.string.trim() === "")
      for (const rule of this.open) rule.recipe = { lines: [], origin: startOf(raw) };
  }
}

const definitionHead = /^((?:(?:override|export|private)\s+)*)define\s+(?=[^\s=:])/;

const builtInSuffixes = new Set([".out", ".a", ".o", ".c", ".cc", ".C", ".cpp", ".s", ".S", ".h"]);

/** Leaves out the suffixes of make's own rules, where its flags leave out these rules. */
function dropBuiltIn(flags: string, makefile: Makefile): void {
  const areDropped = flags
    .split(/\s+/)
    .some((word) => word.startsWith("--no-builtin") || /^-?[a-z]*r[a-z]*$/i.test(word));
  if (areDropped) makefile.suffixes = makefile.suffixes.filter((suffix) => !builtInSuffixes.has(suffix));
}

function trimEnd(text: Text): Text {
  return slice(text, Math.max(0, text.string.search(/\S/)), text.string.trimEnd().length);
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
