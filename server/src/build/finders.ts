// Where build descriptions lie, seen from a file: the kinds in the order in which they are asked, and the files from which their reading may begin.
import { resolvePath } from "../text/path.ts";
import { workspaceMarkers } from "./bazel/packages.ts";
import { clangdFlags, clangdFragments } from "./clangd.ts";
import { findCompileCommands } from "./compile-commands.ts";
import { type BuildHost, type BuildReader, type CompileFlags, noFlags } from "./flags.ts";
import type { BuildReaders } from "./readers.ts";

/** A kind of description. */
export interface BuildFinder {
  readonly read: BuildReader;
  /** Files that are there, those that are asked first in front. `directories`: that of the file and those around it in the workspace, innermost first. */
  readonly candidates: (host: BuildHost, directories: readonly string[]) => readonly string[];
  /** The flags of a file that the description at `path` does not name, in place of those that it gives to all such files. */
  readonly flagsOf?: (host: BuildHost, path: string, file: string) => CompileFlags;
  /** Whether it says nothing of files but those that it names. */
  readonly isOfNamedAlone?: true;
}

/** What was generated for these very files comes before what it was generated from, and a build before the settings of an editor. */
export function findersOf(readers: BuildReaders): readonly BuildFinder[] {
  const finders: readonly (readonly [keyof BuildReaders, BuildFinder["candidates"]])[] = [
    ["compileCommands", compileCommands],
    ["cmakeFileApi", fileApiReplies],
    ["ninja", inDirectoriesAndBuilds(["build.ninja"])],
    ["cmake", topFirst],
    ["make", makefiles],
    ["shell", shellScripts],
    ["setupPy", pythonFiles],
    ["bazel", bazelFiles],
    ["clangd", inDirectories([".clangd"])],
    ["compileFlags", inDirectories(["compile_flags.txt"])],
    ["cCppProperties", inDirectories([".vscode/c_cpp_properties.json"])],
  ];
  const ofAround = finders.flatMap(([name, candidates]) => {
    const read = readers[name];
    if (read === undefined) return [];
    return name === "clangd" ? [{ read, candidates, flagsOf: flagsByClangd }] : [{ read, candidates }];
  });
  return readers.make === undefined
    ? ofAround
    : [...ofAround, { read: readers.make, candidates: makefilesBeside, isOfNamedAlone: true }];
}

type Candidates = BuildFinder["candidates"];

function filesOf(host: BuildHost, paths: readonly string[]): string[] {
  return paths.filter((path) => host.kindOf(path) === "file");
}

function inDirectories(names: readonly string[]): Candidates {
  return (host, directories) =>
    directories.flatMap((directory) =>
      filesOf(
        host,
        names.map((name) => resolvePath(directory, name)),
      ),
    );
}

function inDirectoriesAndBuilds(names: readonly string[]): Candidates {
  return (host, directories) =>
    directories.flatMap((directory) => {
      const places = [directory, ...buildDirectories(host, directory)];
      return filesOf(
        host,
        places.flatMap((place) => names.map((name) => resolvePath(place, name))),
      );
    });
}

const buildDirectoryName = /^(_?build|cmake-build-|out$)/i;
/** As many as anybody has; a folder of builds is no project. */
const mostBuildDirectories = 32;

/** Directories below in which builds are made: `build`, `build-debug`, `out/build/x64`. The plain name comes first. */
function buildDirectories(host: BuildHost, directory: string): readonly string[] {
  const directoriesIn = (at: string): string[] =>
    host.list(at).flatMap(({ name, kind }) => (kind === "directory" ? [name] : []));
  const found: string[] = [];
  const named = directoriesIn(directory).filter((name) => buildDirectoryName.test(name));
  for (const name of named.sort((a, b) => a.length - b.length).slice(0, mostBuildDirectories)) {
    const build = resolvePath(directory, name);
    const inside = directoriesIn(build).filter((each) => !/^(CMakeFiles|_deps|\..*)$/.test(each));
    found.push(build, ...inside.slice(0, mostBuildDirectories).map((each) => resolvePath(build, each)));
    if (inside.includes("build"))
      found.push(
        ...directoriesIn(resolvePath(build, "build"))
          .slice(0, mostBuildDirectories)
          .map((each) => resolvePath(build, `build/${each}`)),
      );
  }
  return found;
}

const compileCommands: Candidates = (host, directories) => {
  const [innermost] = directories;
  const outermost = directories.at(-1);
  if (innermost === undefined || outermost === undefined) return [];
  return findCompileCommands(host, innermost, outermost).files;
};

/** More Python than this in one directory is an application. */
const mostPythonFiles = 24;

/** setup.py first, then what compiles kernels as it runs: `torch.utils.cpp_extension.load`. */
const pythonFiles: Candidates = (host, directories) => {
  const setups = inDirectories(["setup.py"])(host, directories);
  const others = directories.flatMap((directory) => {
    const names = host
      .list(directory)
      .flatMap(({ name, kind }) => (kind === "file" && name.endsWith(".py") ? [name] : []));
    return names.length > mostPythonFiles
      ? []
      : names.filter((name) => name !== "setup.py").map((name) => resolvePath(directory, name));
  });
  return [...setups, ...others.filter((path) => /\bcpp_extension\b/.test(host.readText(path) ?? ""))];
};

/** The workspace knows all of its packages; a BUILD file out of one knows its own. */
const bazelFiles: Candidates = (host, directories) => [
  ...inDirectories(workspaceMarkers)(host, directories),
  ...inDirectories(["BUILD.bazel", "BUILD"])(host, directories),
];

/** CMake writes a new index beside those of before: the last by its name holds. */
const fileApiReplies: Candidates = (host, directories) =>
  directories.flatMap((directory) =>
    [directory, ...buildDirectories(host, directory)].flatMap((place) => {
      const replies = resolvePath(place, ".cmake/api/v1/reply");
      if (host.kindOf(replies) !== "directory") return [];
      const indices = host.list(replies).filter(({ name }) => /^index-.*\.json$/.test(name));
      const last = indices
        .map(({ name }) => name)
        .sort()
        .at(-1);
      return last === undefined ? [] : [resolvePath(replies, last)];
    }),
  );

/** The outermost describes the whole; one inside of it may be a project of its own, where the outermost does not know the file. */
const topFirst: Candidates = (host, directories) => {
  const found = [...inDirectories(["CMakeLists.txt"])(host, directories)].reverse();
  return found.filter((path, index) => index === 0 || /\bproject\s*\(/i.test(host.readText(path) ?? ""));
};

/** The outermost hands flags on to those that it makes by make. */
const makefiles: Candidates = (host, directories) =>
  [...directories].reverse().flatMap((directory) => makefileIn(host, directory));

/** Of a directory's the first in make's order is meant. */
function makefileIn(host: BuildHost, directory: string): readonly string[] {
  const names = ["GNUmakefile", "makefile", "Makefile"];
  return filesOf(
    host,
    names.map((name) => resolvePath(directory, name)),
  ).slice(0, 1);
}

/** More makefiles than these side by side are of projects that have nothing to do with each other. */
const mostMakefilesBeside = 16;

/** Makefiles of tests and benchmarks, which compile the sources of folders beside their own: `../src/sort.cu`. */
const makefilesBeside: Candidates = (host, directories) =>
  directories.flatMap((directory) => {
    const beside = host
      .list(directory)
      .filter(({ kind }) => kind === "directory")
      .map(({ name }) => resolvePath(directory, name))
      .filter((each) => !directories.includes(each));
    const found = beside.flatMap((each) => makefileIn(host, each));
    return found.length > mostMakefilesBeside
      ? []
      : found.filter((path) => host.readText(path)?.includes("..") === true);
  });

/** More scripts than these in one directory are tools. */
const mostScripts = 16;

const shellScripts: Candidates = (host, directories) =>
  directories.flatMap((directory) =>
    [directory, resolvePath(directory, "scripts")].flatMap((place) => {
      const scripts = host
        .list(place)
        .filter(({ name, kind }) => kind === "file" && /\.(sh|bash)$/.test(name));
      return scripts.length > mostScripts ? [] : scripts.map(({ name }) => resolvePath(place, name));
    }),
  );

/** Its fragments may be for some files alone. */
function flagsByClangd(host: BuildHost, path: string, file: string): CompileFlags {
  return clangdFlags(clangdFragments(host, path)?.fragments ?? [], file, noFlags);
}
