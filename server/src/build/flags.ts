// What a build passes to the compiler, as plain data. Every reader of a build description gives this, whatever it reads.

/** Where something of the build is written. `line` is 1-based. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** A `-D` or `-U`. */
export interface MacroFlag {
  readonly kind: "define" | "undefine";
  /** With its parameters, if any: `N`, `MAX(a,b)`. */
  readonly name: string;
  /** The replacement text; `-DN` gives "1". Null where the build sets the macro to something that could not be read. Empty for "undefine". */
  readonly value: string | null;
  /** Why the value is null, or why the flag may not be passed at all: "MPI_FOUND is not known". Null where both are certain. */
  readonly doubt: string | null;
  readonly origin: Origin;
  /** The preset that sets it so, where all that leaves it open is that another preset does not; absent elsewhere. */
  readonly preset?: string;
  /** The option for whose sake the compiler defines it by itself, and no `-D`: "-rdc=true". Absent for what the build defines. */
  readonly impliedBy?: string;
}

/** A directory that is searched for headers, in the order of the search within its kind. */
export interface IncludePath {
  /** Absolute and normal; it need not exist. */
  readonly path: string;
  /** "quote": -iquote; "user": -I; "system": -isystem; "after": -idirafter. */
  readonly kind: "quote" | "user" | "system" | "after";
  /** As in `MacroFlag`. */
  readonly doubt: string | null;
  readonly origin: Origin;
}

/** A file that is read in front of the source: `-include`, or for its macros alone `-imacros`. */
export interface ForcedInclude {
  /** Absolute where the build says where it lies, else as written. */
  readonly path: string;
  readonly kind: "include" | "imacros";
  readonly origin: Origin;
}

/** A GPU that code is made for, as its number: `sm_90a` and `compute_90` are 90. */
export interface ArchitectureFlag {
  readonly number: number;
  /** As it stands in the build: "sm_90a", "90-real", "native". */
  readonly written: string;
  readonly origin: Origin;
}

/** Something that has a say in the flags and could not be evaluated. */
export interface Unresolved {
  /** As written, shortened to a line: "find_package(MPI)". */
  readonly what: string;
  /** A sentence without its full stop: "the version of the installed CUDA toolkit is not known". */
  readonly reason: string;
  readonly origin: Origin;
  /** `reason` says what is assumed in its place, and no flag is in doubt for it; absent elsewhere. */
  readonly isAssumed?: true;
}

/** All that one compilation of one source is given. Lists are in the order of the command line. */
export interface CompileFlags {
  readonly macros: readonly MacroFlag[];
  readonly includePaths: readonly IncludePath[];
  readonly forcedIncludes: readonly ForcedInclude[];
  readonly architectures: readonly ArchitectureFlag[];
  /** `c++17`; null where the build leaves it to the compiler. */
  readonly standard: { readonly value: string; readonly origin: Origin } | null;
  /** What the build compiles the source as; absent where its name says it. */
  readonly language?: CompiledSource["language"];
  /** `-rdc=true`, CMake's CUDA_SEPARABLE_COMPILATION, `-dc`. */
  readonly hasRelocatableDeviceCode: boolean;
  readonly unresolved: readonly Unresolved[];
}

export const noFlags: CompileFlags = {
  macros: [],
  includePaths: [],
  forcedIncludes: [],
  architectures: [],
  standard: null,
  hasRelocatableDeviceCode: false,
  unresolved: [],
};

/** One compilation: a source may be compiled several times, under other flags. */
export interface CompiledSource {
  /** Absolute and normal. */
  readonly path: string;
  readonly language: "cuda" | "c++" | "c";
  /** The target that it is compiled for; null where the description knows none. */
  readonly target: string | null;
  readonly flags: CompileFlags;
}

/** What a linker makes of objects. */
export interface BuildTarget {
  readonly name: string;
  readonly kind: "executable" | "static-library" | "shared-library" | "object-library" | "interface";
  /** Paths of its sources that are compiled. */
  readonly sources: readonly string[];
  /** Names of the targets of the same description that are linked to it, direct ones alone. */
  readonly links: readonly string[];
  readonly origin: Origin;
}

/** A header that the build makes, as made. Values that are not known stand as the macro's own name, which nothing declares. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  readonly origin: Origin;
}

export type BuildKind =
  | "compile-commands"
  | "cmake-file-api"
  | "ninja"
  | "cmake"
  | "make"
  | "shell"
  | "setup-py"
  | "bazel"
  | "compile-flags"
  | "clangd"
  | "c-cpp-properties";

/** All that one build description says. */
export interface BuildDescription {
  readonly kind: BuildKind;
  /** The file that the reading began with. */
  readonly file: string;
  /** Every file that was read or looked for on the way: the description is another when one of them changes, appears or goes. */
  readonly readFiles: readonly string[];
  readonly sources: readonly CompiledSource[];
  readonly targets: readonly BuildTarget[];
  readonly generatedFiles: readonly GeneratedFile[];
  readonly unresolved: readonly Unresolved[];
  /** Flags of every file below the directory of `file` that `sources` does not name; null where the description says nothing of others. */
  readonly others: CompileFlags | null;
}

/**
 * Reads a build description, and executes nothing. `file` is absolute. Null where there is nothing in it that this reader knows. Never throws on what it reads; loops have
 * budgets. `workspace` is the outermost directory whose files may be read.
 */
export type BuildReader = (host: BuildHost, file: string, workspace: string) => BuildDescription | null;

/** What readers see of the files: a part of `Host`. */
export interface BuildHost {
  /** Null where there is no such text, or it must not be read. */
  readText(path: string): string | null;
  kindOf(path: string): "file" | "directory" | "missing" | "other";
  /** The entries of a directory, sorted by name; empty where there is none. */
  list(
    directory: string,
  ): readonly { readonly name: string; readonly kind: "file" | "directory" | "other" }[];
}
