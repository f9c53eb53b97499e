// The state of one reading of a CMake project, and what commands ask of it: variables, properties, targets, files.
import { directoryOf, isInside, resolvePath } from "../../text/path.ts";
import type { BuildHost, Origin, Unresolved } from "../flags.ts";
import { expandText } from "./expand.ts";
import type { RawArgument, RawCommand } from "./parse.ts";
import {
  type Directory,
  type Entry,
  entriesOf,
  Journal,
  piecesOf,
  propertyText,
  type Target,
  type Value,
  type Values,
  type Variable,
} from "./state.ts";
import { hasUnknown, splitList, Unknowns, withoutMarks } from "./unknown.ts";

/** An argument after its variables were put in, and after an unquoted one was parted into its elements. */
export interface Argument {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly origin: Origin;
}

/** A command as it is run. */
export interface Call {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly raw: RawCommand;
  readonly origin: Origin;
}

export type FlowKind = "next" | "return" | "break" | "continue" | "fatal" | "stop";

/** How a statement ends; `doubt`: why it may also end as "next". */
export interface Flow {
  readonly kind: FlowKind;
  readonly doubt: string | null;
}

export const next: Flow = { kind: "next", doubt: null };

const mostSteps = 400_000;
const mostText = 24_000_000;
const mostTextOfValue = 400_000;
const mostUnresolved = 400;

/** Environment variables that every machine has, or one with CUDA. */
const setByMachine = /^(?:HOME|PATH|PWD|USER|LOGNAME|SHELL|LANG|HOSTNAME|TMPDIR|(?:CUDA|NVHPC|NVCC).*)$/;

/** Variables whose text is put together by several commands, each of which is the place of its part. */
const namesFlags = /flag|option|def|arch/i;
const mostTextWithPieces = 20_000;

/** An option that seems to turn CUDA on, and where it stands. */
export interface CudaOption {
  readonly name: string;
  readonly origin: Origin;
}

function keyOfSource(path: string, directory: Directory): string {
  return `${directory.source}\n${resolvePath(directory.source, path)}`;
}

/** What a target's name leads to. */
export type TargetKnowledge = { readonly target: Target } | { readonly unknown: string } | null;

export class Interpreter {
  readonly host: BuildHost;
  readonly workspace: string;
  readonly sourceRoot: string;
  readonly binaryRoot: string;
  readonly unknowns = new Unknowns();
  readonly journal: Journal;
  readonly cache: Values = new Map();
  readonly environment: Values = new Map();
  readonly globalProperties: Values = new Map();
  readonly procedures: Values = new Map();
  readonly targets = new Map<string, Target>();
  readonly aliases = new Map<string, string>();
  readonly directories = new Map<string, Directory>();
  private readonly sourceProperties = new Map<string, Values>();
  readonly writtenFiles: Values = new Map();
  readonly readFiles = new Set<string>();
  readonly languages = new Set<string>();
  /** Packages whose contents are not known: the reason by the name that their variables and targets begin with. */
  readonly unknownNames = new Map<string, string>();
  directory: Directory;
  scope: Values;
  readonly outerScopes: Values[] = [];
  file: string;
  macroArguments: ReadonlyMap<string, string> | null = null;
  depth = 0;
  steps = 0;
  private textRead = 0;
  private readonly noted = new Set<string>();
  readonly unresolved: Unresolved[] = [];
  /** Options that are off and that seem to turn CUDA on. */
  readonly cudaOptions: CudaOption[] = [];
  /** Variables that are taken as of an assumed machine; told once when asked. */
  readonly assumed = new Map<string, string>();
  /** What `CMAKE_CUDA_ARCHITECTURES` is where nobody sets it, and why. */
  defaultArchitectures: { readonly value: Value | undefined; readonly reason: string } | null = null;
  /** Environment variables that were told to be taken as not set. */
  private readonly toldEnvironment = new Set<string>();

  /** The names of CMake's own commands. */
  commandNames: ReadonlySet<string> = new Set();

  constructor(host: BuildHost, file: string, workspace: string, binaryRoot: string) {
    this.host = host;
    this.workspace = workspace;
    this.file = file;
    this.sourceRoot = directoryOf(file);
    this.binaryRoot = binaryRoot;
    this.journal = new Journal(this.unknowns);
    this.directory = {
      source: this.sourceRoot,
      binary: binaryRoot,
      parent: null,
      properties: new Map(),
      variables: new Map(),
      policies: { version: 325, own: new Map() },
    };
    this.scope = this.directory.variables;
    this.directories.set(this.sourceRoot, this.directory);
  }

  /** Counts steps; false where the budget is used up. */
  spend(steps = 1): boolean {
    this.steps += steps;
    if (this.steps <= mostSteps) return true;
    this.note("CMakeLists.txt", "the project runs more commands than are followed", {
      file: this.file,
      line: 1,
    });
    return false;
  }

  /** What is assumed of `what`, where the project leaves it open. */
  assume(what: string, assumption: string, origin: Origin): void {
    this.tell({ what, reason: assumption, origin, isAssumed: true });
  }

  note(what: string, reason: string, origin: Origin): void {
    this.tell({ what, reason, origin });
  }

  private tell({ what, reason, origin, ...rest }: Unresolved): void {
    const shown = this.shown(what).replace(/\s+/g, " ");
    const text = shown.length > 120 ? `${shown.slice(0, 117)}...` : shown;
    const key = `${text}\n${reason}\n${origin.file}:${origin.line}`;
    if (this.noted.has(key) || this.unresolved.length >= mostUnresolved) return;
    this.noted.add(key);
    this.unresolved.push({ what: text, reason: this.shown(reason), origin, ...rest });
  }

  /** A text for people: what is unknown in it stands as "…". */
  shown(text: string): string {
    return text.replace(/\uE000\d+\uE001/g, "…");
  }

  unknown(reason: string): string {
    return this.unknowns.mark(reason);
  }

  /** The text of a file of the workspace; null where it can't be read. */
  readText(path: string): string | null {
    const written = this.writtenFiles.get(path);
    if (written?.kind === "file") return written.text;
    if (!isInside(path, this.workspace)) return null;
    this.readFiles.add(path);
    if (this.textRead > mostText) return null;
    const text = this.host.readText(path);
    this.textRead += text?.length ?? 0;
    return text === null ? null : withoutMarks(text);
  }

  /** "outside": not of the workspace, and so not asked. */
  kindOf(path: string): "file" | "directory" | "missing" | "other" | "outside" {
    if (this.writtenFiles.has(path)) return "file";
    if (isInside(path, this.binaryRoot)) {
      for (const written of this.writtenFiles.keys()) if (isInside(written, path)) return "directory";
    }
    if (!isInside(path, this.workspace)) return isInside(this.workspace, path) ? "directory" : "outside";
    this.readFiles.add(path);
    return this.host.kindOf(path);
  }

  /** A path as seen from the directory that is being read. */
  pathOf(text: string): string {
    return /^(?:\uE000|\$<)/.test(text) ? text : resolvePath(this.directory.source, text);
  }

  // Variables.

  variable(name: string): Variable | null {
    const value = this.scope.get(name) ?? this.cache.get(name);
    return value?.kind === "variable" ? value : null;
  }

  /** The text of a variable as `${name}` gives it; null where it is not set. */
  get(name: string): string | null {
    const assumption = this.assumed.get(name);
    const value = this.variable(name);
    if (assumption !== undefined && value !== null) {
      this.assumed.delete(name);
      this.assume(name, assumption, { file: this.file, line: 1 });
    }
    if (value !== null) return value.text;
    const reason = this.reasonOfUnset(name);
    return reason === null ? null : this.unknown(reason);
  }

  text(name: string): string {
    return this.get(name) ?? "";
  }

  /** Why a variable that nobody sets is not known, or null: it belongs to a package whose contents are not known. */
  reasonOfUnset(name: string): string | null {
    if (this.unknownNames.size === 0) return null;
    for (let end = name.indexOf("_"); end > 0; end = name.indexOf("_", end + 1)) {
      const reason = this.unknownNames.get(name.slice(0, end).toLowerCase());
      if (reason !== undefined) return reason;
    }
    return null;
  }

  set(name: string, text: string, origin: Origin, where: Values = this.scope): void {
    const before = where.get(name) ?? this.cache.get(name);
    let kept = text;
    if (text.length > mostTextOfValue) {
      this.note(`set(${name})`, "its value is longer than is followed", origin);
      kept = this.unknown(`${name} is longer than is followed`);
    }
    const hasHistory =
      before?.kind === "variable" && kept.length < mostTextWithPieces && namesFlags.test(name);
    const pieces = piecesOf(hasHistory ? before : null, kept, origin);
    this.journal.put(where, name, { kind: "variable", text: kept, pieces: pieces.slice(-200), doubt: null });
  }

  unset(name: string, where: Values = this.scope): void {
    this.journal.put(where, name, undefined);
  }

  /** A value that the machine has, known before the project says anything. */
  give(name: string, text: string): void {
    if (this.scope.has(name)) return;
    this.scope.set(name, { kind: "variable", text, pieces: [], doubt: null });
  }

  isCommand(name: string): boolean {
    return this.commandNames.has(name);
  }

  // Arguments.

  expand(text: string, origin: Origin): string {
    return expandText(text, {
      variable: (name) => this.lookUp(name, origin),
      environment: (name) => this.environmentText(name),
      cache: (name) => {
        const value = this.cache.get(name);
        return value?.kind === "variable" ? value.text : "";
      },
      mostLength: mostTextOfValue,
      tooLong: () => this.unknown("a text is longer than is followed"),
    });
  }

  private lookUp(name: string, origin: Origin): string {
    if (name === "CMAKE_CURRENT_LIST_LINE") return String(origin.line);
    if (hasUnknown(name)) {
      const names = this.unknowns.readings(name);
      const reason = this.unknowns.reasonOf(name) ?? "";
      if (names === null) return this.unknown(reason);
      return this.unknowns.mark(
        reason,
        names.map((one) => this.text(one)),
      );
    }
    return this.text(name);
  }

  /** `$ENV{name}`. */
  environmentText(name: string): string {
    const value = this.environment.get(name);
    if (value?.kind === "variable") return value.text;
    const reason = this.reasonOfEnvironment(name);
    return reason === null ? "" : this.unknown(reason);
  }

  /** Why an environment variable that the project does not set is not known; null where it is taken as not set, which is told. */
  reasonOfEnvironment(name: string): string | null {
    if (setByMachine.test(name)) return `the environment variable ${name} is not known`;
    if (!this.toldEnvironment.has(name)) {
      this.toldEnvironment.add(name);
      this.assume(`$ENV{${name}}`, "taken as not set", { file: this.file, line: 1 });
    }
    return null;
  }

  arguments(raw: RawCommand): readonly Argument[] {
    const args: Argument[] = [];
    for (const one of raw.args) {
      const origin = { file: this.file, line: one.line };
      const text = this.rawText(one);
      if (one.kind === "bracket") args.push({ text, isQuoted: true, origin });
      else if (one.kind === "quoted") args.push({ text: this.expand(text, origin), isQuoted: true, origin });
      else {
        const expanded = /[$\\@]/.test(text) ? this.expand(text, origin) : text;
        for (const element of splitList(expanded)) args.push({ text: element, isQuoted: false, origin });
      }
    }
    return args;
  }

  private rawText(raw: RawArgument): string {
    const { macroArguments } = this;
    if (macroArguments === null || raw.kind === "bracket" || !raw.text.includes("${")) return raw.text;
    return raw.text.replace(/\$\{(\w+)\}/g, (whole, name: string) => macroArguments.get(name) ?? whole);
  }

  // Properties.

  put(map: Values, name: string, entries: readonly Entry[]): void {
    this.journal.put(map, name, { kind: "property", entries });
  }

  append(map: Values, name: string, entries: readonly Entry[], place: "behind" | "before" = "behind"): void {
    const before = entriesOf(map.get(name));
    this.put(map, name, place === "behind" ? [...before, ...entries] : [...entries, ...before]);
  }

  propertyText(map: Values, name: string): string | null {
    return propertyText(map.get(name), this.unknowns);
  }

  // Targets.

  /** The target of a name, or why nobody knows whether there is one. */
  findTarget(name: string): TargetKnowledge {
    if (hasUnknown(name)) return { unknown: this.unknowns.reasonOf(name) ?? "" };
    const alias = this.aliases.get(name) ?? name;
    // An alias of what is not known leads to the one of its readings that is a target.
    for (const real of hasUnknown(alias) ? (this.unknowns.readings(alias) ?? []) : [alias]) {
      const target = this.targets.get(real);
      if (target?.properties.has("TYPE")) return { target };
    }
    if (hasUnknown(alias)) return { unknown: this.unknowns.reasonOf(alias) ?? "" };
    const namespace = /^(.*?)::/.exec(name)?.[1];
    const reason = this.unknownNames.get((namespace ?? name).toLowerCase());
    return reason === undefined ? null : { unknown: reason };
  }

  /** Why an alias may lead to another target than `findTarget` gives; null where it does not. */
  doubtOfAlias(name: string): string | null {
    return this.unknowns.reasonOf(this.aliases.get(name) ?? "");
  }

  /** The record of a target that a command makes, the same for both ways of a condition. */
  makeTarget(name: string, type: string, origin: Origin): Target {
    let target = this.targets.get(name);
    if (target === undefined) {
      target = { name, properties: new Map(), origin, directory: this.directory };
      this.targets.set(name, target);
    }
    if (!target.properties.has("TYPE")) {
      target.origin = origin;
      target.directory = this.directory;
    }
    this.put(target.properties, "TYPE", [{ text: type, origin, doubt: null }]);
    return target;
  }

  /** Those of `propertiesOfSource`, if any were set. */
  knownPropertiesOfSource(path: string, directory: Directory): Values | undefined {
    return this.sourceProperties.get(keyOfSource(path, directory));
  }

  /** The properties of a source, by its absolute path: those that the targets of a directory see. */
  propertiesOfSource(path: string, directory: Directory = this.directory): Values {
    const key = keyOfSource(path, directory);
    let properties = this.sourceProperties.get(key);
    if (properties === undefined) {
      properties = new Map();
      this.sourceProperties.set(key, properties);
    }
    return properties;
  }
}
