// The options of compilers that warplint reads, and those that take a value and are passed over. nvcc's are of `nvcc --help` 13.0; what it does with lists, quotes and unknown options
// was measured with `nvcc --dryrun`.
import type { CompilerDialect } from "./command.ts";

export type OptionEffect =
  | "define"
  | "undefine"
  | "user"
  | "quote"
  | "system"
  | "after"
  | "include"
  | "imacros"
  | "architecture"
  | "code"
  | "generate-code"
  | "standard"
  | "language"
  | "output"
  | "output-directory"
  | "host-options"
  | "preprocessor-options"
  | "options-file"
  | "relocatable"
  | "library"
  | "library-path"
  | "optimise"
  | "default-stream"
  | "skip-value"
  | "action"
  | "flag";

/** An option as it stands at the beginning of a word. */
export interface OptionMatch {
  readonly effect: OptionEffect;
  readonly name: string;
  /** The value within the word; null where it is the next word, or there is none. */
  readonly value: string | null;
  readonly takesNext: boolean;
  /** Whether commas part the value. */
  readonly isList: boolean;
}

interface Option {
  readonly effect: OptionEffect;
  /** "value": next word or after "=". "joined": that, or right behind the name. "none": no value. */
  readonly form: "value" | "joined" | "none";
  readonly isList: boolean;
}

/** What a word of a command line is as an option; null where it is none that is known. */
export function matchOption(dialect: CompilerDialect, text: string): OptionMatch | null {
  if (dialect === "msvc") return matchMsvc(text);
  if (dialect === "nvcc") return matchIn(nvccOptions, text, "=") ?? matchIn(gccOptions, text, "--=");
  return matchIn(gccOptions, text, "--=");
}

type OptionTable = ReadonlyMap<string, Option>;

/** `equals`: whether "=" parts every name from its value, or that of names with two dashes alone. */
function matchIn(table: OptionTable, text: string, equals: "=" | "--="): OptionMatch | null {
  const whole = table.get(text);
  if (whole !== undefined) return found(text, whole, null, whole.form !== "none");
  const at = text.indexOf("=");
  if (at > 0 && (equals === "=" || text.startsWith("--") || text.startsWith("-std"))) {
    const option = table.get(text.slice(0, at));
    if (option !== undefined && option.form !== "none") {
      return found(text.slice(0, at), option, text.slice(at + 1), false);
    }
  }
  for (const [name, option] of joinedNames(table, text.charAt(1))) {
    if (text.length > name.length && text.startsWith(name))
      return found(name, option, text.slice(name.length), false);
  }
  return null;
}

const joinedByTable = new WeakMap<OptionTable, Map<string, readonly (readonly [string, Option])[]>>();

/** The options whose value may stand right behind them, by their first letter, the longest first. */
function joinedNames(table: OptionTable, letter: string): readonly (readonly [string, Option])[] {
  let byLetter = joinedByTable.get(table);
  if (byLetter === undefined) {
    const all = [...table]
      .filter(([, { form }]) => form === "joined")
      .sort(([a], [b]) => b.length - a.length);
    byLetter = new Map(
      all.map(([name]) => [name.charAt(1), all.filter(([one]) => one.charAt(1) === name.charAt(1))]),
    );
    joinedByTable.set(table, byLetter);
  }
  return byLetter.get(letter) ?? [];
}

function found(name: string, option: Option, value: string | null, takesNext: boolean): OptionMatch {
  return { effect: option.effect, name, value, takesNext, isList: option.isList };
}

function table(
  ...rows: readonly (readonly [OptionEffect, Option["form"], "list" | "", string])[]
): OptionTable {
  return new Map(
    rows.flatMap(([effect, form, list, names]) =>
      names.split(" ").map((name) => [name, { effect, form, isList: list === "list" }] as const),
    ),
  );
}

const nvccOptions = table(
  ["define", "joined", "list", "-D"],
  ["define", "value", "list", "--define-macro"],
  ["undefine", "joined", "list", "-U"],
  ["undefine", "value", "list", "--undefine-macro"],
  ["user", "joined", "list", "-I"],
  ["user", "value", "list", "--include-path"],
  ["system", "value", "list", "-isystem --system-include"],
  ["include", "value", "list", "-include --pre-include"],
  ["architecture", "value", "", "-arch --gpu-architecture"],
  ["code", "value", "", "-code --gpu-code"],
  ["generate-code", "value", "", "-gencode --generate-code"],
  ["standard", "value", "", "-std --std"],
  ["language", "value", "", "-x --x"],
  ["output", "value", "", "-o --output-file"],
  ["output-directory", "value", "", "-odir --output-directory"],
  ["host-options", "value", "", "-Xcompiler --compiler-options"],
  ["options-file", "value", "list", "-optf --options-file"],
  ["relocatable", "value", "", "-rdc --relocatable-device-code"],
  ["library", "joined", "list", "-l"],
  ["library", "value", "list", "--library"],
  ["library-path", "joined", "list", "-L"],
  ["library-path", "value", "list", "--library-path"],
  ["optimise", "joined", "", "-O"],
  ["optimise", "value", "", "--optimize"],
  ["default-stream", "value", "", "-default-stream --default-stream"],
  ["skip-value", "joined", "", "-t -m"],
  [
    "skip-value",
    "value",
    "",
    "-ccbin --compiler-bindir -Xlinker --linker-options -Xarchive --archive-options -Xptxas --ptxas-options -Xnvlink --nvlink-options -maxrregcount --maxrregcount " +
      "-MF --dependency-output -MT --dependency-target-name -arbin --archiver-binary -cudart --cudart -cudadevrt --cudadevrt -ldir --libdevice-directory -target-dir --target-directory " +
      "-opt-info --optimization-info -Ofc --Ofast-compile -dopt --dopt -ftemplate-backtrace-limit --ftemplate-backtrace-limit -ftemplate-depth --ftemplate-depth --machine --threads " +
      "-split-compile --split-compile -split-compile-extended --split-compile-extended -fdevice-time-trace --fdevice-time-trace -keep-dir --keep-dir -time --time -run-args --run-args " +
      "-idp --input-drive-prefix -ddp --dependency-drive-prefix -dp --drive-prefix -e --entries -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt -fmad --fmad -Werror --Werror " +
      "-diag-error --diag-error -diag-suppress --diag-suppress -diag-warn --diag-warn -hls --host-linker-script -brief-diag --brief-diagnostics -jtd --jump-table-density " +
      "-device-stack-protector --device-stack-protector -compress-mode --compress-mode -frandom-seed --frandom-seed -sanitize --sanitize " +
      "-static-global-template-stub --static-global-template-stub -device-entity-has-hidden-visibility --device-entity-has-hidden-visibility",
  ],
  [
    "action",
    "none",
    "",
    "-c --compile -dc --device-c -dw --device-w -dlink --device-link -lib --lib -shared --shared -ptx --ptx -cubin --cubin -fatbin --fatbin -cuda --cuda -E --preprocess " +
      "-M --generate-dependencies -MM --generate-nonsystem-dependencies -r --relocatable-link -optix-ir --optix-ir -ltoir --ltoir -h --help -V --version",
  ],
  [
    "flag",
    "none",
    "",
    "-G --device-debug -expt-relaxed-constexpr --expt-relaxed-constexpr -extended-lambda --extended-lambda -expt-extended-lambda --expt-extended-lambda " +
      "-dlto --dlink-time-opt -use_fast_math --use_fast_math -MD -MMD -MP -lineinfo --generate-line-info -link --link -lto --lto",
  ],
);

const gccOptions = table(
  ["define", "joined", "", "-D"],
  ["define", "value", "", "--define-macro"],
  ["undefine", "joined", "", "-U"],
  ["undefine", "value", "", "--undefine-macro"],
  ["user", "joined", "", "-I"],
  ["user", "value", "", "--include-directory"],
  ["system", "joined", "", "-isystem -cxx-isystem"],
  ["quote", "joined", "", "-iquote"],
  ["after", "joined", "", "-idirafter"],
  ["include", "joined", "", "-include"],
  ["include", "value", "", "--include"],
  ["imacros", "joined", "", "-imacros"],
  ["imacros", "value", "", "--imacros"],
  ["standard", "value", "", "-std --std"],
  ["language", "joined", "", "-x"],
  ["output", "joined", "", "-o"],
  ["output", "value", "", "--output"],
  ["library", "joined", "", "-l"],
  ["library-path", "joined", "", "-L"],
  ["optimise", "joined", "", "-O"],
  ["preprocessor-options", "joined", "", "-Wp,"],
  ["preprocessor-options", "value", "", "-Xpreprocessor"],
  ["architecture", "value", "", "--cuda-gpu-arch --offload-arch"],
  ["host-options", "value", "", "-Xclang"],
  ["flag", "none", "", "-Ofast -fopenmp -qopenmp -fopenmp-simd -ffast-math -pthread -fgpu-rdc -openmp"],
  [
    "skip-value",
    "value",
    "",
    "-MF -MT -MQ -Xlinker -Xassembler -T -u -z -target --target -isysroot --sysroot -iprefix -iwithprefix -iwithprefixbefore -imultilib -A -aux-info -dumpbase -dumpdir -e -h -B -mllvm " +
      "-framework -Xarch_device -Xarch_host -Xcuda-ptxas -Xcuda-fatbinary -Xopenmp-target --param -gcc-toolchain --gcc-toolchain --cuda-path -rpath -soname -install_name -current_version " +
      "-compatibility_version -arch -wrapper -include-pch",
  ],
  [
    "action",
    "none",
    "",
    "-c --compile -S -E --preprocess -M -MM -fsyntax-only -shared --shared -dynamiclib -r --version --help -dumpversion -dumpmachine",
  ],
);

/** MSVC's cl and its kin: "/" and "-" begin an option, names are long and values stand right behind them. */
function matchMsvc(text: string): OptionMatch | null {
  if (!/^[/-]/.test(text)) return null;
  const name = text.slice(1);
  const rows: readonly (readonly [string, OptionEffect])[] = [
    ["external:I", "system"],
    ["std:", "standard"],
    ["openmp", "flag"],
    ["Fo", "output"],
    ["Fe", "output"],
    ["FI", "include"],
    ["D", "define"],
    ["U", "undefine"],
    ["I", "user"],
  ];
  for (const [prefix, effect] of rows) {
    if (!name.startsWith(prefix)) continue;
    const value = name.slice(prefix.length).replace(/^:/, "");
    if (effect === "flag") return { effect, name: "-fopenmp", value: null, takesNext: false, isList: false };
    return {
      effect,
      name: prefix,
      value: value === "" ? null : value,
      takesNext: value === "",
      isList: false,
    };
  }
  if (name === "c") return { effect: "action", name: "-c", value: null, takesNext: false, isList: false };
  if (name === "E" || name === "EP" || name === "P") {
    return { effect: "action", name: "-E", value: null, takesNext: false, isList: false };
  }
  return null;
}
