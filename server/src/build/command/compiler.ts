// Which word of a command is the compiler: behind launchers, with the prefix of a target, a version, a path.
import type { CommandWord, CompilerDialect } from "./command.ts";

export interface FoundCompiler {
  readonly dialect: CompilerDialect;
  /** Whether C++ sources are read as CUDA whatever their names: Kokkos' nvcc_wrapper. */
  readonly isAlwaysCuda: boolean;
  /** Index of the first word behind the compiler. */
  readonly argumentsAt: number;
}

/** The compiler that a command runs; null where it runs none that warplint knows. */
export function findCompiler(words: readonly CommandWord[]): FoundCompiler | null {
  let isLaunched = false;
  for (let at = 0; at < words.length && at < maximumLauncherWords; at++) {
    const word = words[at];
    if (word === undefined || isAssignment(word.text)) continue;
    const compiler = compilerNamed(word);
    if (compiler !== null) return { ...compiler, argumentsAt: at + 1 };
    const name = programName(word.text);
    if (launchers.has(name)) isLaunched = true;
    else if (!isLaunched) return null;
  }
  return null;
}

/** The name of a program without its directory and ".exe". */
export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  return name.replace(/\.exe$/i, "");
}

/** `VAR=value` in front of a command. */
export function isAssignment(text: string): boolean {
  return /^[A-Za-z_]\w*=/.test(text);
}

const maximumLauncherWords = 24;

/** Programs that run the command behind their own options. */
const launchers = new Set(
  (
    "env time nice ccache sccache distcc icecc buildcache fastbuild exec command timeout nohup cmake libtool " +
    "scorep stdbuf taskset xcrun srun mpirun colorgcc compdb bear cached-nvcc"
  ).split(" "),
);

function compilerNamed(word: CommandWord): Omit<FoundCompiler, "argumentsAt"> | null {
  const name = programName(word.text);
  if (/^nvcc_wrapper$/.test(name)) return { dialect: "nvcc", isAlwaysCuda: true };
  if (/^(?:[\w.]+-)*nvcc(?:-\d[\d.]*)?$/.test(name)) return { dialect: "nvcc", isAlwaysCuda: false };
  if (/^(?:cl|clang-cl|icl)$/i.test(name)) return { dialect: "msvc", isAlwaysCuda: false };
  if (/^(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d[\d.]*|\d\d)?$/.test(name)) return gcc;
  if (
    /^(?:icc|icpc|icx|icpx|mpicc|mpicxx|mpic\+\+|mpiCC|mpiicc|mpiicpc|mpiicpx|CC|nvc|nvc\+\+|pgcc|pgc\+\+|xlC|xlc\+\+)$/.test(
      name,
    )
  )
    return gcc;
  // A compiler whose name is not known, by the name of the variable that holds it.
  if (word.hole !== null && /nvcc/i.test(name)) return { dialect: "nvcc", isAlwaysCuda: false };
  if (word.hole !== null && /^\$[({]?\w*(?:CXX|CC|CPP)[)}]?$/.test(name)) return gcc;
  return null;
}

const gcc = { dialect: "gcc", isAlwaysCuda: false } as const;
