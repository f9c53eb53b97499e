// Goes through the targets that make would make, and runs their recipes on paper: what each compiles and links.
import { isInside, resolvePath } from "../../text/path.ts";
import type { BuildHost, Origin } from "../flags.ts";
import { runShell } from "../shell/run.ts";
import { newShell, type Shell, type Value } from "../shell/scope.ts";
import type { BuildStep } from "../worlds/steps.ts";
import { stepOf } from "../worlds/steps.ts";
import {
  emptyText,
  hasUnknown,
  join,
  linesOf,
  slice,
  startOf,
  type Text,
  TextBuilder,
  textOf,
  wordsOf,
} from "../worlds/text.ts";
import type { World } from "../worlds/world.ts";
import { withAutomatic } from "./automatic.ts";
import { addBuiltIns, suffixRules } from "./built-in.ts";
import { expand, valueOfVariable } from "./expand.ts";
import { findImplicit, isFile, onSearchPath } from "./implicit.ts";
import type { Makefile, PatternRule, Recipe, Target } from "./makefile.ts";
import { namesIn, plainName } from "./names.ts";
import { patternOf, stemOf } from "./patterns.ts";
import { MakefileReader } from "./read.ts";
import type { Scope } from "./scope.ts";
import { type Run, runOfCommand } from "./sub-make.ts";
import { VariableSet } from "./variables.ts";

/** What all runs of make share. */
export interface Session {
  readonly world: World;
  readonly host: BuildHost;
  readonly workspace: string;
  readonly steps: BuildStep[];
  /** Runs that were made, so that none is made twice. */
  readonly runs: Set<string>;
  /** Whether what is run belongs to the default goal. */
  use: BuildStep["use"];
}

/** The names under which make finds its file, in its order. */
export const makefileNames = ["GNUmakefile", "makefile", "Makefile"];

const deepestRun = 8;
/** Runs for the default goal, and those after which no more are made for other targets. */
const mostRuns = 150;
const mostOtherRuns = 16;
/** What a line holds that builds something: a compiler, an archiver, make, a script, or what is not known. */
const mayBuild =
  /nvcc|cc\b|\+\+|clang|icpc|icp?x|CC\b|\bnvc|\bcl\b|\bar\b|-ar\b|\bld\b|make|\bsh\b|bash|[\uE000-\uF8FF]/;
const deepestTarget = 400;

/** Runs make on paper. False where there is no makefile. */
export function runMake(run: Run, session: Session): boolean {
  const { world, host, workspace } = session;
  const key = JSON.stringify([
    run.directory,
    run.file,
    run.goals,
    [...run.given].map(([name, value]) => [name, world.unknowns.written(value.string)]),
    [...run.environment].map(([name, value]) => [name, world.unknowns.written(value.string)]),
  ]);
  if (session.runs.has(key) || run.level > deepestRun || !isInside(run.directory, workspace)) return false;
  if (session.runs.size >= (session.use === "default" ? mostRuns : mostOtherRuns)) {
    world.cannot("make", "it calls itself too often", { file: run.file ?? run.directory, line: 1 });
    return false;
  }
  session.runs.add(key);
  const file = run.file ?? foundMakefile(run.directory, host);
  if (file === null) return false;
  const reader = new MakefileReader(world, host, workspace, run.directory);
  const { makefile } = reader;
  setUp(makefile, run);
  const written = file.startsWith(`${run.directory}/`) ? file.slice(run.directory.length + 1) : file;
  if (!reader.readFile(file, written)) return false;
  new Walk(makefile, reader.scope, run, session).runGoals();
  return true;
}

function foundMakefile(directory: string, host: BuildHost): string | null {
  for (const name of makefileNames) {
    const path = resolvePath(directory, name);
    if (host.kindOf(path) === "file") return path;
  }
  return null;
}

function setUp(makefile: Makefile, run: Run): void {
  addBuiltIns(makefile);
  const origin: Origin = { file: run.file ?? run.directory, line: 1 };
  const { own } = makefile.variables;
  const define = (name: string, value: Text, source: "default" | "environment" | "command line" | "file") =>
    own.set(name, { value, flavor: "simple", source, appends: false });
  for (const [name, value] of run.environment) define(name, value, "environment");
  for (const [name, value] of run.given) define(name, value, "command line");
  define("CURDIR", textOf(run.directory, origin), "file");
  define("MAKELEVEL", textOf(String(run.level), origin), "environment");
  define("MAKECMDGOALS", textOf(run.goals.join(" "), origin), "file");
}

class Walk {
  private readonly makefile: Makefile;
  private readonly scope: Scope;
  private readonly run: Run;
  private readonly session: Session;
  private readonly rules: readonly PatternRule[];
  private readonly done = new Set<string>();
  private depth = 0;

  constructor(makefile: Makefile, scope: Scope, run: Run, session: Session) {
    this.makefile = makefile;
    this.scope = scope;
    this.run = run;
    this.session = session;
    const paths = expand(makefile.variables.find("VPATH")?.value ?? emptyText, scope)
      .string.split(/[\s:]+/)
      .filter((one) => one !== "");
    if (paths.length > 0) makefile.searchPaths.push({ pattern: patternOf("%"), directories: paths });
    const cancelled = new Set(makefile.patternRules.filter((rule) => rule.recipe === null).map(shapeOf));
    this.rules = [
      ...makefile.patternRules,
      ...suffixRules(makefile).filter((rule) => !cancelled.has(shapeOf(rule))),
    ];
  }

  runGoals(): void {
    const { makefile, session } = this;
    const goal = expand(
      makefile.variables.find(".DEFAULT_GOAL")?.value ?? emptyText,
      this.scope,
    ).string.trim();
    const goals = this.run.goals.length > 0 ? this.run.goals : goal === "" ? [] : goal.split(/\s+/);
    for (const name of goals) this.update(name, makefile.variables);
    if (this.run.goals.length > 0 || this.run.level > 0) return;
    session.use = "other";
    for (const name of makefile.targets.keys()) {
      if (session.world.stopped !== null) break;
      if (!/^\.(?!.*\/)/.test(name)) this.update(name, makefile.variables);
    }
  }

  /** Makes a target as one that `around` asks for: it has the variables of whoever asks first. */
  private update(name: string, around: VariableSet): void {
    if (this.done.has(name) || this.depth > deepestTarget || !this.session.world.step()) return;
    this.done.add(name);
    this.depth++;
    const target = this.makefile.targets.get(name) ?? null;
    const variables = this.variablesFor(name, around);
    if (target?.isDoubleColon) {
      for (const rule of target.rules) this.make(name, [rule], rule.recipe, rule.stem, variables);
    } else this.updateOne(name, target, variables);
    this.depth--;
  }

  private updateOne(name: string, target: Target | null, variables: VariableSet): void {
    const rules = target?.rules ?? [];
    const chosen = rules.findLast((rule) => rule.recipe !== null) ?? null;
    if (chosen !== null) {
      this.make(
        name,
        [chosen, ...rules.filter((rule) => rule !== chosen)],
        chosen.recipe,
        chosen.stem,
        variables,
      );
      return;
    }
    const isPhony =
      this.makefile.targets
        .get(".PHONY")
        ?.rules.some((rule) => wordsOf(rule.prerequisites).some((word) => word.string === name)) ?? false;
    const again = (text: Text, stem: string) => this.expandAgain(text, name, stem, variables, []);
    const found = isPhony ? null : findImplicit(name, this.makefile, this.rules, this.scope, again);
    if (found === null) {
      this.make(name, rules, null, null, variables);
      return;
    }
    const implied = {
      prerequisites: found.prerequisites,
      orderOnly: found.orderOnly,
      recipe: null,
      stem: found.stem,
      expandsAgain: false,
    };
    this.make(name, [implied, ...rules], found.rule.recipe, found.stem, variables);
  }

  private make(
    name: string,
    rules: readonly {
      readonly prerequisites: Text;
      readonly orderOnly: Text;
      readonly stem: string | null;
      readonly expandsAgain: boolean;
    }[],
    recipe: Recipe | null,
    stem: string | null,
    variables: VariableSet,
  ): void {
    const prerequisites: string[] = [];
    const orderOnly: string[] = [];
    for (const rule of rules) {
      const text = rule.expandsAgain
        ? this.expandAgain(rule.prerequisites, name, rule.stem, variables, prerequisites)
        : rule.prerequisites;
      prerequisites.push(...namesIn(text, this.scope).map((word) => this.place(word.string)));
      orderOnly.push(...namesIn(rule.orderOnly, this.scope).map((word) => this.place(word.string)));
    }
    for (const one of [...prerequisites, ...orderOnly]) if (one !== name) this.update(one, variables);
    if (recipe !== null) {
      const made = { target: name, prerequisites, orderOnly, stem, origin: recipe.origin };
      this.runRecipe(recipe, withAutomatic(variables, made), name);
    }
  }

  /** Where a prerequisite lies: itself, or where a search path has it. */
  private place(written: string): string {
    const name = plainName(this.session.world.resolved(written));
    if (hasUnknown(name) || this.makefile.targets.has(name) || isFile(name, this.scope)) return name;
    return onSearchPath(name, this.makefile, this.scope) ?? name;
  }

  private expandAgain(
    text: Text,
    target: string,
    stem: string | null,
    variables: VariableSet,
    prerequisites: readonly string[],
  ): Text {
    const origin = text.runs[0]?.origin ?? { file: "", line: 1 };
    const set = withAutomatic(variables, { target, prerequisites, orderOnly: [], stem, origin });
    return expand(text, { ...this.scope, variables: set });
  }

  /** Variables of patterns that fit and of the target itself, over those around. */
  private variablesFor(name: string, around: VariableSet): VariableSet {
    const { patternVariables, targetVariables } = this.makefile;
    let set = around;
    const fitting = patternVariables
      .map((one) => ({ ...one, match: stemOf(one.pattern, name) }))
      .filter(({ match }) => match !== null && match !== "unknown")
      .sort((a, b) => lengthOf(a.pattern) - lengthOf(b.pattern));
    for (const { name: variable, variable: value } of fitting) {
      set = new VariableSet(set);
      set.own.set(variable, value);
    }
    const own = targetVariables.get(name);
    if (own === undefined) return set;
    const over = new VariableSet(set);
    for (const [variable, value] of own.own) over.own.set(variable, value);
    return over;
  }

  private runRecipe(recipe: Recipe, variables: VariableSet, target: string): void {
    const scope = { ...this.scope, variables };
    const exports = this.exported(variables);
    if (this.makefile.isOneShell) {
      const lines = recipe.lines.map((line, index) => {
        const expanded = expand(line, scope);
        return index === 0 ? withoutPrefix(expanded) : expanded;
      });
      this.runLine(join(lines, "\n"), exports, target);
      return;
    }
    for (const line of recipe.lines) {
      if (!this.session.world.step()) return;
      for (const part of commandLines(expand(line, scope)))
        this.runLine(withoutPrefix(part), exports, target);
    }
  }

  private runLine(text: Text, exports: ReadonlyMap<string, Text>, target: string): void {
    if (!mayBuild.test(text.string)) return;
    const { world, host, workspace } = this.session;
    const { directory } = this.scope;
    const shellName = expand(this.makefile.variables.find("SHELL")?.value ?? emptyText, this.scope).string;
    runShell(text, {
      ...newShell({ world, host, workspace, directory }),
      dialect: /bash|zsh/.test(shellName) ? "bash" : "sh",
      variables: new Map<string, Value>(exports),
      command: (words, shell, origin) => this.runCommand(words, shell, origin, exports, target),
    });
  }

  /** Takes in what a command does; true where it builds something. */
  private runCommand(
    words: readonly Text[],
    shell: Shell,
    origin: Origin,
    exports: ReadonlyMap<string, Text>,
    target: string,
  ): boolean {
    const { session } = this;
    const given = new Map<string, Text>();
    for (const [name, variable] of this.makefile.variables.own)
      if (variable.source === "command line") given.set(name, variable.value);
    const inner = runOfCommand(words, shell, { given, environment: exports, level: this.run.level + 1 });
    if (inner !== null) {
      runMake(inner, session);
      return true;
    }
    const step = stepOf(words, shell, origin, session.use);
    if (step === null) return false;
    session.steps.push({ ...step, rule: target });
    return true;
  }

  /** Variables that go into the environment of recipes whose variables are `variables`. */
  private exported(variables: VariableSet): ReadonlyMap<string, Text> {
    const { exported, exportsAll, unexported } = this.makefile;
    const names = exportsAll ? variables.names() : new Set(exported);
    for (const [name, { source }] of this.makefile.variables.own) {
      if (source === "environment" || source === "command line") names.add(name);
    }
    const exports = new Map<string, Text>();
    for (const name of names) {
      const variable = variables.find(name);
      const isOfMake =
        !/^\w+$/.test(name) || /^(?:CURDIR|MAKEFILE_LIST|MAKECMDGOALS|SHELL|MAKELEVEL)$/.test(name);
      if (variable === null || isOfMake || unexported.has(name) || variable.source === "default") continue;
      if (variable.source === "automatic") continue;
      const scope = { ...this.scope, variables };
      exports.set(name, valueOfVariable(textOf(name, startOf(variable.value)), variable.value, scope));
    }
    return exports;
  }
}

function lengthOf(pattern: { readonly prefix: string; readonly suffix: string }): number {
  return pattern.prefix.length + pattern.suffix.length;
}

function shapeOf(rule: PatternRule): string {
  const targets = rule.targets.map((pattern) => `${pattern.prefix}%${pattern.suffix}`).join(" ");
  return `${targets}: ${rule.prerequisites.string.trim()}`;
}

/** The line without "@", "-" and "+" in front. */
function withoutPrefix(line: Text): Text {
  return slice(line, /^[\s@+-]*/.exec(line.string)?.[0].length ?? 0);
}

/** The lines of an expanded recipe: each is a shell of its own, those that backslashes join are one. */
function commandLines(text: Text): Text[] {
  if (!text.string.includes("\n")) return [text];
  const found: Text[] = [];
  let builder: TextBuilder | null = null;
  for (const line of linesOf(text)) {
    const slashes = /\\+$/.exec(line.string)?.[0].length ?? 0;
    if (builder !== null) builder.append(textOf("\n", line.runs[0]?.origin ?? { file: "", line: 1 }));
    builder ??= new TextBuilder();
    builder.append(line);
    if (slashes % 2 === 1) continue;
    found.push(builder.build());
    builder = null;
  }
  if (builder !== null) found.push(builder.build());
  return found;
}
