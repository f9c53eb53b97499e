// Runs the statements of a CMake file. Where a condition is not known both ways are run from one state, and what they leave is brought together.
import { directoryOf, resolvePath } from "../../text/path.ts";
import type { Origin } from "../flags.ts";
import { builtins } from "./commands/builtins.ts";
import { evaluateCondition, type Truth } from "./condition.ts";
import { type Argument, type Call, type Flow, type Interpreter, next } from "./interpreter.ts";
import {
  type IfBlock,
  type LoopBlock,
  parseCMake,
  type RawCommand,
  type ScopeBlock,
  type Statement,
} from "./parse.ts";
import type { Directory, Procedure, Value } from "./state.ts";
import { hasUnknown, splitListWhole } from "./unknown.ts";

const deepest = 80;
const mostTrips = 20_000;
/** A call copies the variables in sight. */
const stepsOfCall = 10;

const stop: Flow = { kind: "stop", doubt: null };

/** Runs statements one after the other. */
export function runBody(cmake: Interpreter, body: readonly Statement[]): Flow {
  for (let at = 0; at < body.length; at++) {
    const statement = body[at];
    if (statement === undefined) continue;
    const flow = runStatement(cmake, statement);
    if (flow.kind === "next") continue;
    if (flow.doubt === null) return flow;
    // What follows is run only where this did not end the body.
    const rest = body.slice(at + 1);
    const after = perhaps(cmake, flow.doubt, () => runBody(cmake, rest));
    return after.kind === "stop" ? after : flow;
  }
  return next;
}

/** Runs what may not be run at all, and leaves doubtful what it changes. A way that ends the configuration with an error is not gone. */
export function perhaps(cmake: Interpreter, reason: string, run: () => Flow): Flow {
  cmake.journal.begin();
  const flow = run();
  const way = cmake.journal.takeBack();
  if (flow.kind === "fatal") return next;
  cmake.journal.merge(way, new Map(), reason);
  if (flow.kind === "stop" || flow.kind === "next") return flow;
  return { ...flow, doubt: flow.doubt ?? reason };
}

function eitherWay(cmake: Interpreter, reason: string, first: () => Flow, second: () => Flow): Flow {
  cmake.journal.begin();
  const flowA = first();
  const wayA = cmake.journal.takeBack();
  cmake.journal.begin();
  const flowB = second();
  const wayB = cmake.journal.takeBack();
  const isFatalA = flowA.kind === "fatal" && flowA.doubt === null;
  const isFatalB = flowB.kind === "fatal" && flowB.doubt === null;
  if (isFatalA && !isFatalB) {
    cmake.journal.redo(wayB);
    return flowB;
  }
  if (isFatalB && !isFatalA) {
    cmake.journal.redo(wayA);
    return flowA;
  }
  cmake.journal.merge(wayA, wayB, reason);
  if (flowA.kind === "stop" || flowB.kind === "stop") return stop;
  if (flowA.kind === flowB.kind) return { kind: flowA.kind, doubt: flowA.doubt ?? flowB.doubt };
  const ending = flowA.kind === "next" || flowA.kind === "fatal" ? flowB : flowA;
  return ending.kind === "next" || ending.kind === "fatal" ? next : { kind: ending.kind, doubt: reason };
}

function runStatement(cmake: Interpreter, statement: Statement): Flow {
  if (!cmake.spend()) return stop;
  switch (statement.kind) {
    case "command":
      return runCommand(cmake, statement);
    case "if":
      return runIf(cmake, statement, 0);
    case "foreach":
      return runForeach(cmake, statement);
    case "while":
      return runWhile(cmake, statement);
    case "function":
    case "macro":
      defineProcedure(cmake, statement.kind, statement.head, statement.body);
      return next;
    case "block":
      return runBlock(cmake, statement);
  }
}

/** `block()`: variables that are set in it end with it, but for those that it propagates. */
function runBlock(cmake: Interpreter, { head, body }: ScopeBlock): Flow {
  const words = cmake.arguments(head).map(({ text }) => text);
  const at = words.indexOf("PROPAGATE");
  const propagated = at < 0 ? [] : words.slice(at + 1);
  const kinds = (at < 0 ? words : words.slice(0, at)).slice(1);
  if (kinds.length > 0 && !kinds.includes("VARIABLES")) return runBody(cmake, body);
  const { scope } = cmake;
  const inner = new Map(scope);
  cmake.outerScopes.push(scope);
  cmake.scope = inner;
  const flow = runBody(cmake, body);
  cmake.scope = scope;
  cmake.outerScopes.pop();
  for (const name of propagated) cmake.journal.put(scope, name, inner.get(name));
  return flow;
}

function originOf(cmake: Interpreter, raw: RawCommand): Origin {
  return { file: cmake.file, line: raw.line };
}

function runCommand(cmake: Interpreter, raw: RawCommand): Flow {
  const { name } = raw;
  const procedure = cmake.procedures.get(name);
  if (procedure?.kind !== "procedure" && name === "return") {
    const [keyword, ...names] = cmake.arguments(raw).map(({ text }) => text);
    const outer = cmake.outerScopes.at(-1);
    if (keyword === "PROPAGATE" && outer !== undefined)
      for (const each of names) cmake.journal.put(outer, each, cmake.scope.get(each));
    return { kind: "return", doubt: null };
  }
  if (name === "break" || name === "continue") return { kind: name, doubt: null };
  const call: Call = { name, args: cmake.arguments(raw), raw, origin: originOf(cmake, raw) };
  return runCall(cmake, call);
}

/** Runs a command whose arguments are evaluated. */
export function runCall(cmake: Interpreter, call: Call): Flow {
  const procedure = cmake.procedures.get(call.name);
  if (procedure?.kind === "procedure") return runProcedure(cmake, procedure, call);
  const builtin = builtins.get(call.name);
  if (builtin !== undefined && /^(?:target_|set_target_prop)/.test(call.name)) {
    const ways = namedTargets(cmake, call);
    for (const { way, reason } of ways) {
      const flow = perhaps(cmake, reason, () => builtin(cmake, way, running) ?? next);
      if (flow.kind === "stop") return flow;
    }
    if (ways.length > 0) return next;
  }
  if (builtin !== undefined) return builtin(cmake, call, running) ?? next;
  return builtins.get("(unknown)")?.(cmake, call, running) ?? next;
}

/** A command on a target whose name is not known, for each target that it may mean. */
function namedTargets(
  cmake: Interpreter,
  call: Call,
): readonly { readonly way: Call; readonly reason: string }[] {
  const [name, ...rest] = call.args;
  const reason = name === undefined ? null : cmake.unknowns.reasonOf(name.text);
  if (name === undefined || reason === null) return [];
  return (cmake.unknowns.readings(name.text) ?? [])
    .filter((text) => cmake.targets.get(cmake.aliases.get(text) ?? text)?.properties.has("TYPE"))
    .map((text) => ({ way: { ...call, args: [{ ...name, text }, ...rest] }, reason }));
}

/** What commands run that hold other commands. */
export interface Running {
  readonly file: typeof runFile;
  readonly text: typeof runText;
  readonly subdirectory: typeof runSubdirectory;
  readonly call: typeof runCall;
}

const running: Running = { file: runFile, text: runText, subdirectory: runSubdirectory, call: runCall };

function runIf(cmake: Interpreter, block: IfBlock, from: number): Flow {
  for (let at = from; at < block.ways.length; at++) {
    const way = block.ways[at];
    if (way === undefined) break;
    if (way.condition === null) return runBody(cmake, way.body);
    const truth = conditionOf(cmake, way.condition);
    if (truth === true) return runBody(cmake, way.body);
    if (truth === false) continue;
    return eitherWay(
      cmake,
      truth,
      () => runBody(cmake, way.body),
      () => runIf(cmake, block, at + 1),
    );
  }
  return next;
}

function conditionOf(cmake: Interpreter, raw: RawCommand): Truth {
  if (!cmake.spend()) return false;
  return evaluateCondition(cmake, cmake.arguments(raw));
}

function runForeach(cmake: Interpreter, block: LoopBlock): Flow {
  const args = cmake.arguments(block.head);
  const origin = originOf(cmake, block.head);
  const trips = tripsOf(cmake, args);
  const names = trips.names;
  const before = names.map((name) => cmake.scope.get(name));
  let doubt: string | null = null;
  let result = next;
  for (const trip of trips.values) {
    const body = (): Flow => {
      for (const [index, name] of names.entries()) cmake.set(name, trip.texts[index] ?? "", origin);
      return runBody(cmake, block.body);
    };
    const reason: string | null = doubt ?? trip.doubt;
    const flow: Flow = reason === null ? body() : perhaps(cmake, reason, body);
    if (flow.kind === "stop") return flow;
    if (flow.kind === "fatal") {
      result = flow;
      break;
    }
    if (flow.kind === "return") {
      result = flow;
      if (flow.doubt === null) break;
      doubt = flow.doubt;
    }
    if (flow.kind === "break") {
      if (flow.doubt === null) break;
      doubt = flow.doubt;
    }
  }
  for (const [index, name] of names.entries()) {
    const value: Value | undefined = before[index];
    cmake.journal.put(cmake.scope, name, value);
  }
  return result;
}

interface Trips {
  readonly names: readonly string[];
  readonly values: readonly { readonly texts: readonly string[]; readonly doubt: string | null }[];
}

function tripsOf(cmake: Interpreter, args: readonly Argument[]): Trips {
  const { unknowns } = cmake;
  const texts = args.map(({ text }) => text);
  const elements = (list: string): Trips["values"] =>
    unknowns
      .elements(list)
      .slice(0, mostTrips)
      .map(({ text, doubt }) => ({ texts: [text], doubt }));
  // An argument is one item, whatever semicolons are left in it; what is not known may stand for several.
  const items = (text: string): Trips["values"] =>
    hasUnknown(text) ? elements(text) : [{ texts: [text], doubt: null }];
  const inAt = args.findIndex(({ text, isQuoted }, index) => index > 0 && !isQuoted && text === "IN");
  if (inAt > 0) {
    const names = texts.slice(0, inAt);
    const values: { texts: readonly string[]; doubt: string | null }[] = [];
    let mode = "";
    const zipped: (readonly string[])[] = [];
    for (const text of texts.slice(inAt + 1)) {
      if (text === "LISTS" || text === "ITEMS" || text === "ZIP_LISTS") mode = text;
      else if (mode === "LISTS") values.push(...elements(cmake.text(text)));
      else if (mode === "ITEMS") values.push(...items(text));
      else if (mode === "ZIP_LISTS") zipped.push(splitListWhole(cmake.text(text)));
    }
    if (zipped.length > 0) {
      const length = Math.max(...zipped.map((list) => list.length));
      const zipNames = names.length === 1 ? zipped.map((_, index) => `${names[0] ?? ""}_${index}`) : names;
      for (let at = 0; at < Math.min(length, mostTrips); at++) {
        values.push({ texts: zipped.map((list) => list[at] ?? ""), doubt: null });
      }
      return { names: zipNames, values };
    }
    return { names: names.slice(0, 1), values };
  }
  const name = texts[0] ?? "";
  if (texts[1] === "RANGE") {
    const numbers = texts.slice(2);
    const unknown = numbers.find(hasUnknown);
    if (unknown !== undefined) {
      const doubt = unknowns.reasonOf(unknown);
      return { names: [name], values: [{ texts: [unknowns.mark(doubt ?? "")], doubt }] };
    }
    const [first, last, step] =
      numbers.length === 1
        ? [0, Number(numbers[0]), 1]
        : [Number(numbers[0]), Number(numbers[1]), Number(numbers[2] ?? 1)];
    const values: { texts: string[]; doubt: null }[] = [];
    const by = Math.abs(step) || 1;
    const count = Math.floor(Math.abs(last - first) / by) + 1;
    for (let at = 0; at < Math.min(count, mostTrips); at++) {
      values.push({ texts: [String(first <= last ? first + at * by : first - at * by)], doubt: null });
    }
    return { names: [name], values };
  }
  return { names: [name], values: texts.slice(1, mostTrips).flatMap(items) };
}

function runWhile(cmake: Interpreter, block: LoopBlock): Flow {
  for (let trip = 0; trip < mostTrips; trip++) {
    const truth = conditionOf(cmake, block.head);
    if (truth === false) return next;
    if (typeof truth === "string") {
      const flow = perhaps(cmake, truth, () => runBody(cmake, block.body));
      return flow.kind === "break" || flow.kind === "continue" ? next : flow;
    }
    const flow = runBody(cmake, block.body);
    if (flow.kind === "stop" || flow.kind === "fatal") return flow;
    if (flow.kind === "return") return flow;
    if (flow.kind === "break") return next;
  }
  return next;
}

function defineProcedure(
  cmake: Interpreter,
  type: "function" | "macro",
  head: RawCommand,
  body: readonly Statement[],
): void {
  const [name, ...parameters] = cmake.arguments(head).map(({ text }) => text);
  if (name === undefined) return;
  const procedure: Procedure = { kind: "procedure", type, name, parameters, body, file: cmake.file };
  cmake.journal.put(cmake.procedures, name.toLowerCase(), procedure);
}

function runProcedure(cmake: Interpreter, procedure: Procedure, call: Call): Flow {
  if (!cmake.spend(stepsOfCall)) return stop;
  if (cmake.depth >= deepest) {
    cmake.note(call.name, "it calls itself deeper than is followed", call.origin);
    return next;
  }
  const texts = call.args.map(({ text }) => text);
  const own = new Map<string, string>();
  for (const [index, parameter] of procedure.parameters.entries()) own.set(parameter, texts[index] ?? "");
  const quoted = texts.map((text) => text.replace(/;/g, "\\;"));
  own.set("ARGC", String(texts.length));
  own.set("ARGV", texts.join(";"));
  own.set("ARGN", texts.slice(procedure.parameters.length).join(";"));
  for (const [index] of quoted.entries()) own.set(`ARGV${index}`, texts[index] ?? "");
  const { file, macroArguments, scope } = cmake;
  cmake.depth++;
  cmake.file = procedure.file;
  let flow: Flow;
  if (procedure.type === "macro") {
    cmake.macroArguments = own;
    flow = runBody(cmake, procedure.body);
  } else {
    cmake.macroArguments = null;
    cmake.outerScopes.push(scope);
    cmake.scope = new Map(scope);
    for (const [name, text] of own) {
      cmake.scope.set(name, { kind: "variable", text, pieces: [{ text, origin: call.origin }], doubt: null });
    }
    cmake.scope.set("CMAKE_CURRENT_FUNCTION", {
      kind: "variable",
      text: procedure.name,
      pieces: [],
      doubt: null,
    });
    cmake.scope.set("CMAKE_CURRENT_FUNCTION_LIST_DIR", {
      kind: "variable",
      text: directoryOf(procedure.file),
      pieces: [],
      doubt: null,
    });
    flow = runBody(cmake, procedure.body);
    cmake.scope = scope;
    cmake.outerScopes.pop();
  }
  cmake.file = file;
  cmake.macroArguments = macroArguments;
  cmake.depth--;
  if (flow.kind === "stop" || flow.kind === "fatal") return flow;
  if (procedure.type === "macro") return flow;
  return next;
}

/** Runs the text of a file in the scope that is open. Null where it can't be read. */
export function runFile(cmake: Interpreter, path: string): Flow | null {
  const text = cmake.depth < deepest ? cmake.readText(path) : null;
  return text === null ? null : runText(cmake, text, path);
}

/** Runs commands as those of a file. */
export function runText(cmake: Interpreter, text: string, path: string): Flow {
  const { file, macroArguments } = cmake;
  const { directory } = cmake;
  const { policies } = directory;
  const listFile = cmake.scope.get("CMAKE_CURRENT_LIST_FILE");
  const listDirectory = cmake.scope.get("CMAKE_CURRENT_LIST_DIR");
  const origin = { file: path, line: 1 };
  cmake.set("CMAKE_CURRENT_LIST_FILE", path, origin);
  cmake.set("CMAKE_CURRENT_LIST_DIR", directoryOf(path), origin);
  cmake.file = path;
  cmake.macroArguments = null;
  cmake.depth++;
  const flow = runBody(cmake, parseCMake(text));
  cmake.depth--;
  cmake.file = file;
  cmake.macroArguments = macroArguments;
  // What a file that is included says of policies ends with it.
  if (directory.source !== directoryOf(path) || !path.endsWith("/CMakeLists.txt"))
    directory.policies = policies;
  cmake.journal.put(cmake.scope, "CMAKE_CURRENT_LIST_FILE", listFile);
  cmake.journal.put(cmake.scope, "CMAKE_CURRENT_LIST_DIR", listDirectory);
  return flow.kind === "stop" || flow.kind === "fatal" ? flow : next;
}

/** What a directory takes over from the one that adds it, as it is then. */
const inherited = [
  "COMPILE_DEFINITIONS",
  "COMPILE_OPTIONS",
  "INCLUDE_DIRECTORIES",
  "SYSTEM_INCLUDE_DIRECTORIES",
  "LINK_LIBRARIES",
  "(define flags)",
];

/** `add_subdirectory`. Null where there is no CMakeLists.txt to read. */
export function runSubdirectory(cmake: Interpreter, source: string, binary: string): Flow | null {
  const file = resolvePath(source, "CMakeLists.txt");
  const text = cmake.depth < deepest ? cmake.readText(file) : null;
  if (text === null) return null;
  const { directory, scope } = cmake;
  const inner: Directory = {
    source,
    binary,
    parent: directory,
    properties: new Map(),
    variables: new Map(scope),
    policies: directory.policies,
  };
  for (const name of inherited) {
    const value = directory.properties.get(name);
    if (value !== undefined) inner.properties.set(name, value);
  }
  cmake.directories.set(source, inner);
  cmake.directory = inner;
  cmake.scope = inner.variables;
  cmake.outerScopes.push(scope);
  const origin = { file, line: 1 };
  cmake.set("CMAKE_CURRENT_SOURCE_DIR", source, origin);
  cmake.set("CMAKE_CURRENT_BINARY_DIR", binary, origin);
  const flow = runText(cmake, text, file);
  cmake.outerScopes.pop();
  cmake.scope = scope;
  cmake.directory = directory;
  return flow.kind === "stop" || flow.kind === "fatal" ? flow : next;
}
