// What warplint knows of Python's own modules, and of the machine that builds CUDA: Linux, with a CUDA toolkit, without ROCm, with no environment variables set.
import { directoryOf, resolvePath } from "../../text/path.ts";
import type { BuildHost, Origin } from "../flags.ts";
import { globFiles, nameMatcher } from "../glob.ts";
import type { CallArguments, CallContext } from "./machine.ts";
import { sorted } from "./methods.ts";
import {
  asString,
  boolean,
  doubted,
  environmentDoubt,
  isFirm,
  keyOf,
  list,
  none,
  pathValue,
  type StringValue,
  string,
  truthOf,
  unknown,
  unknownReason,
  type Value,
} from "./values.ts";

/** Names of other modules that have a value. `file`: the file that is evaluated. */
export function libraryValue(dotted: string, file: string): Value | null {
  const name = lastPart(dotted);
  switch (dotted) {
    case "__file__":
      return string(file);
    case "__name__":
      return string("__main__");
    case "sys.platform":
      return string("linux");
    case "os.name":
      return string("posix");
    case "os.sep":
    case "os.path.sep":
      return string("/");
    case "os.pathsep":
      return string(":");
    case "sys.argv":
      return list([string(file)], "list", "the arguments of the build are not known");
    case "sys.version_info":
      return unknown("the version of Python is not known", "no");
    case "torch.version.hip":
      return none;
    case "torch.version.cuda":
    case "torch.__version__":
      return unknown("the version of PyTorch is not known", "no");
    case "NotImplemented":
      return none;
  }
  if (name === "CUDA_HOME" || name === "CUDNN_HOME")
    return unknown("where CUDA is installed is not known", "no");
  if (name === "ROCM_HOME" || name === "HIP_HOME") return none;
  if (name === "IS_HIP_EXTENSION" || name === "IS_WINDOWS" || name === "IS_MACOS") return boolean(false);
  if (name === "IS_LINUX") return boolean(true);
  return null;
}

/** What functions of Python's own modules give. */
export function callLibrary(
  host: BuildHost,
  directory: string,
  dotted: string,
  all: CallArguments,
  context: CallContext,
): Value | null {
  const [first, second] = all.positional;
  const text = first?.kind === "string" && first.hole === null ? first.text : null;
  switch (dotted) {
    case "os.path.join":
      return first === undefined ? null : joinPaths(all.positional);
    case "os.path.dirname":
      return first?.kind === "string"
        ? { ...first, text: first.text.includes("/") ? directoryOf(first.text) : "", isPath: false }
        : null;
    case "os.path.basename":
      return first?.kind === "string"
        ? { ...first, text: first.text.slice(first.text.lastIndexOf("/") + 1), isPath: false }
        : null;
    case "os.path.abspath":
    case "os.path.realpath":
    case "os.path.normpath":
    case "os.fspath":
    case "os.path.expanduser":
      if (first?.kind !== "string") return null;
      return first.hole === null && dotted !== "os.path.normpath"
        ? { ...first, text: resolvePath(directory, first.text), isPath: false }
        : first;
    case "os.path.relpath":
      return first ?? null;
    case "os.path.exists":
    case "os.path.isfile":
    case "os.path.isdir": {
      if (text === null) return null;
      const kind = host.kindOf(resolvePath(directory, text));
      return boolean(
        dotted === "os.path.exists"
          ? kind !== "missing"
          : kind === (dotted === "os.path.isdir" ? "directory" : "file"),
      );
    }
    case "os.path.splitext": {
      if (text === null) return null;
      const extension = /(?<=[^/])\.[^./]*$/.exec(text)?.[0] ?? "";
      return list([string(text.slice(0, text.length - extension.length)), string(extension)], "tuple");
    }
    case "os.path.isabs":
      return text === null ? null : boolean(text.startsWith("/"));
    case "os.getcwd":
    case "pathlib.Path.cwd":
    case "Path.cwd":
      return dotted === "os.getcwd" ? string(directory) : pathValue(directory);
    case "os.listdir":
      return text === null
        ? null
        : list(host.list(resolvePath(directory, text)).map(({ name }) => string(name)));
    case "os.walk":
      return text === null ? null : walk(host, directory, text);
    case "glob.glob":
    case "glob.iglob": {
      const root = all.named.get("root_dir");
      if (root?.kind === "string" && root.hole === null && text !== null)
        return globStrings(host, resolvePath(directory, root.text), text, context.origin);
      return text === null ? null : globStrings(host, directory, text, context.origin);
    }
    case "fnmatch.fnmatch":
      return text === null || second?.kind !== "string" ? null : boolean(nameMatcher(second.text).test(text));
    case "os.getenv":
    case "os.environ.get":
    case "environ.get":
      return environmentValue(text, second ?? all.named.get("default") ?? none);
    case "os.environ.__getitem__":
      return unknown(`the environment variable ${text ?? ""} is not known`, "no");
    case "platform.system":
      return string("Linux");
    case "platform.machine":
      return unknown("the processor is not known", "no");
    case "open":
    case "io.open":
    case "codecs.open":
      return text === null || isWritten(second ?? all.named.get("mode")) ? null : pathValue(text);
    case "torch.cuda.is_available":
      return boolean(true);
    case "copy.copy":
    case "copy.deepcopy":
    case "deepcopy":
      return first === undefined ? null : copied(first);
    case "itertools.chain":
      return listOf(
        all.positional.flatMap((one) => (one.kind === "list" ? one.items : [])),
        all.positional,
      );
    case "importlib.util.spec_from_file_location": {
      const path = all.named.get("location") ?? second;
      return path?.kind === "string" && path.hole === null
        ? context.moduleAt(resolvePath(directory, path.text))
        : null;
    }
    case "importlib.util.module_from_spec":
      return first ?? null;
    case "types.SimpleNamespace":
    case "argparse.Namespace":
      return {
        kind: "record",
        record: {
          callee: "Namespace",
          positional: [],
          named: new Map(all.named),
          origin: context.origin,
          doubt: null,
        },
        type: null,
      };
    case "itertools.product":
      return product(all.positional);
    case "shlex.split":
      return text === null
        ? null
        : list((text.match(/\S+/g) ?? []).map((one) => string(one, context.origin)));
    case "shlex.quote":
      return first ?? null;
    case "subprocess.check_output":
    case "subprocess.run":
      return unknown("the output of a command is not known", "no");
  }
  if (
    dotted === "Path" ||
    dotted === "pathlib.Path" ||
    dotted === "PurePath" ||
    dotted === "pathlib.PurePath"
  ) {
    if (first === undefined) return pathValue(".");
    const joined = joinPaths(all.positional);
    return joined.kind === "string" ? { ...joined, isPath: true } : joined;
  }
  return callBuiltin(dotted, all, context);
}

/** The last part of a dotted name. */
export function lastPart(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf(".") + 1);
}

/** Methods of a path that look at files. */
export function callPathMethod(
  host: BuildHost,
  directory: string,
  path: string,
  name: string,
  all: CallArguments,
): Value | null {
  const at = resolvePath(directory, path);
  const [first] = all.positional;
  switch (name) {
    case "resolve":
    case "absolute":
      return pathValue(at);
    case "exists":
      return boolean(host.kindOf(at) !== "missing");
    case "is_dir":
      return boolean(host.kindOf(at) === "directory");
    case "is_file":
      return boolean(host.kindOf(at) === "file");
    case "open":
      return isWritten(first) ? null : pathValue(at);
    case "read":
    case "read_text":
    case "readline":
    case "readlines": {
      const text = host.readText(at);
      if (text === null || text.length > mostCharacters) return null;
      const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      if (name === "readlines") return list(lines.map((line) => string(line)));
      return string(name === "readline" ? (lines[0] ?? "") : text);
    }
    case "iterdir":
      return list(host.list(at).map((entry) => pathValue(`${path}/${entry.name}`)));
    case "glob":
    case "rglob": {
      if (first?.kind !== "string" || first.hole !== null) return null;
      const { files, isCut } = globFiles(host, at, name === "rglob" ? `**/${first.text}` : first.text);
      return list(
        files.map((one) => pathValue(path === "." ? one : `${path}/${one}`)),
        "list",
        isCut ? "there are too many files" : null,
      );
    }
    default:
      return null;
  }
}

/** Of files that Python opens. */
const mostCharacters = 1_000_000;

function isWritten(mode: Value | undefined): boolean {
  return mode?.kind === "string" && /[wax+]/.test(mode.text);
}

function joinPaths(parts: readonly Value[]): Value {
  let text = "";
  let hole: string | null = null;
  let doubt: string | undefined;
  for (const part of parts) {
    const known: StringValue = part.kind === "string" ? part : asString(part, "…");
    hole ??= known.hole;
    doubt ??= part.doubt;
    text =
      known.text.startsWith("/") || text === "" ? known.text : `${text.replace(/\/$/, "")}/${known.text}`;
  }
  return doubted({ kind: "string", text, hole, place: null, isPath: false }, doubt);
}

function globStrings(host: BuildHost, directory: string, pattern: string, place: Origin): Value {
  const isAbsolute = pattern.startsWith("/");
  // Only the directories before the first wildcard are gone through by name.
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  const fixed = first === -1 ? parts.slice(0, -1) : parts.slice(0, first);
  const base = fixed.join("/");
  const below = parts.slice(fixed.length).join("/");
  const root = isAbsolute ? resolvePath("/", base) : resolvePath(directory, base === "" ? "." : base);
  const { files, isCut } = globFiles(host, root, below);
  const prefix = base === "" ? "" : `${base}/`;
  return list(
    files.map((one) => string(prefix + one, place)),
    "list",
    isCut ? `there are too many files for ${pattern}` : null,
  );
}

const maximumDirectories = 2_000;

function walk(host: BuildHost, directory: string, top: string): Value {
  const rows: Value[] = [];
  const pending = [top];
  for (let at = 0; at < pending.length && at < maximumDirectories; at++) {
    const path = pending[at] ?? top;
    const entries = host.list(resolvePath(directory, path));
    const directories = entries.filter(({ kind, name }) => kind === "directory" && !name.startsWith("."));
    pending.push(...directories.map(({ name }) => `${path}/${name}`));
    const names = (all: readonly { readonly name: string }[]): Value =>
      list(all.map(({ name }) => string(name)));
    rows.push(
      list([string(path), names(directories), names(entries.filter(({ kind }) => kind === "file"))], "tuple"),
    );
  }
  return list(rows, "list", pending.length > maximumDirectories ? "there are too many directories" : null);
}

/** An environment variable is taken as not set. Where its default goes into a value, that is a doubt. */
function environmentValue(name: string | null, fallback: Value): Value {
  if (name === null) return unknown("an environment variable is not known");
  return doubted(fallback, environmentDoubt(name));
}

function copied(value: Value): Value {
  if (value.kind === "list") return { ...value, items: value.items.map(copied) };
  if (value.kind === "dict")
    return { ...value, entries: new Map([...value.entries].map(([key, one]) => [key, copied(one)])) };
  return value;
}

function listOf(items: Value[], from: readonly Value[]): Value {
  const unread = from.find((one) => one.kind !== "list");
  const more = from.map((one) => (one.kind === "list" ? one.more : null)).find((one) => one !== null);
  return list(
    items,
    "list",
    unread === undefined ? (more ?? null) : (unknownReason(unread) ?? "a list is not known"),
  );
}

const maximumRows = 4_096;

function product(columns: readonly Value[]): Value {
  let rows: Value[][] = [[]];
  for (const column of columns) {
    if (column.kind !== "list" || column.more !== null || rows.length * column.items.length > maximumRows) {
      return list([], "list", unknownReason(column) ?? "a product of lists is not known");
    }
    rows = rows.flatMap((row) => column.items.map((item) => [...row, item]));
  }
  return list(rows.map((row) => list(row, "tuple", null)));
}

/** Functions that need no module. */
export function callBuiltin(name: string, all: CallArguments, context: CallContext): Value | null {
  const [first, second] = all.positional;
  const items =
    first?.kind === "list"
      ? first.items
      : first?.kind === "dict"
        ? [...first.entries.keys()].map((key) => string(key))
        : null;
  const more = first?.kind === "list" || first?.kind === "dict" ? first.more : null;
  switch (name) {
    case "str":
      return first === undefined ? string("") : asString(first, "…");
    case "int":
    case "float": {
      const number =
        first?.kind === "number"
          ? first.value
          : first?.kind === "boolean"
            ? Number(first.value)
            : first?.kind === "string" && first.hole === null
              ? Number(first.text)
              : Number.NaN;
      return Number.isNaN(number)
        ? unknown(
            first === undefined ? "a number is not known" : (unknownReason(first) ?? "a number is not known"),
            "no",
          )
        : doubted({ kind: "number", value: number }, first?.doubt);
    }
    case "bool": {
      const truth = first === undefined ? false : truthOf(first);
      return truth === null ? null : doubted(boolean(truth), first?.doubt);
    }
    case "len":
      if (first?.kind === "string" && first.hole === null)
        return { kind: "number", value: first.text.length };
      return items === null || more !== null || items.some((one) => !isFirm(one.doubt))
        ? null
        : { kind: "number", value: items.length };
    case "list":
    case "tuple":
    case "set":
    case "frozenset":
      if (first === undefined) return list([], name === "tuple" ? "tuple" : "list");
      if (items === null)
        return first.kind === "unknown" || first.kind === "dotted"
          ? list([], "list", unknownReason(first))
          : null;
      return list(
        name === "set" || name === "frozenset" ? unique(items) : [...items],
        name === "tuple" ? "tuple" : "list",
        more,
      );
    case "sorted":
      return items === null ? null : list(sorted(items), "list", more);
    case "reversed":
      return items === null ? null : list([...items].reverse(), "list", more);
    case "dict": {
      const entries = new Map(first?.kind === "dict" ? first.entries : []);
      for (const [key, value] of all.named) entries.set(key, value);
      for (const pair of first?.kind === "list" ? first.items : []) {
        if (pair.kind === "list" && pair.items[0]?.kind === "string")
          entries.set(pair.items[0].text, pair.items[1] ?? none);
      }
      return { kind: "dict", entries, more };
    }
    case "range": {
      const [from, to, step] = all.positional.map((one) => (one.kind === "number" ? one.value : Number.NaN));
      if (from === undefined || [from, to ?? 0, step ?? 1].some(Number.isNaN) || step === 0) return null;
      const [start, end] = to === undefined ? [0, from] : [from, to];
      const count = Math.min(10_000, Math.max(0, Math.ceil((end - start) / (step ?? 1))));
      return list(
        Array.from({ length: count }, (_, at) => ({ kind: "number", value: start + at * (step ?? 1) })),
      );
    }
    case "enumerate":
      return items === null
        ? null
        : list(
            items.map((one, at) => list([{ kind: "number", value: at }, one], "tuple")),
            "list",
            more,
          );
    case "zip": {
      const columns = all.positional.map((one) => (one.kind === "list" ? one.items : null));
      const length = Math.min(...columns.map((one) => one?.length ?? 0));
      if (columns.includes(null) || columns.length === 0) return null;
      return list(
        Array.from({ length }, (_, at) =>
          list(
            columns.map((one) => one?.[at] ?? none),
            "tuple",
          ),
        ),
      );
    }
    case "map":
      if (first === undefined || second?.kind !== "list") return null;
      return list(
        second.items.map((one) => doubted(context.apply(first, [one]), one.doubt)),
        "list",
        second.more,
      );
    case "filter": {
      if (first === undefined || second?.kind !== "list") return null;
      const kept = second.items.flatMap((one) => {
        const truth = truthOf(first.kind === "none" ? one : context.apply(first, [one]));
        return truth === false
          ? []
          : [truth === true ? one : doubted(one, "whether it is kept is not known")];
      });
      return list(kept, "list", second.more);
    }
    case "any":
    case "all": {
      const truths = items?.map(truthOf) ?? [null];
      if (more !== null || truths.includes(null)) return null;
      return boolean(name === "any" ? truths.includes(true) : !truths.includes(false));
    }
    case "min":
    case "max": {
      const numbers = (items ?? all.positional).map((one) =>
        one.kind === "number" ? one.value : Number.NaN,
      );
      return numbers.some(Number.isNaN) || numbers.length === 0 || more !== null
        ? null
        : { kind: "number", value: Math[name](...numbers) };
    }
    case "print":
    case "warnings.warn":
    case "os.makedirs":
    case "os.chdir":
    case "sys.path.append":
    case "sys.path.insert":
      return none;
    default:
      return null;
  }
}

function unique(items: readonly Value[]): Value[] {
  const seen = new Set<string>();
  return items.filter((one) => {
    const key = keyOf(one);
    if (key === null) return true;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
