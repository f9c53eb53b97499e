// Commands that try something on the machine: what they find is not known, unless a build tree remembers it.
import type { Call, Interpreter } from "../interpreter.ts";
import { assumedGcc } from "../toolchain.ts";
import { hasUnknown, splitListWhole } from "../unknown.ts";
import { type Command, type CommandTable, textsOf } from "./command.ts";

/** A check whose result goes into the argument at this place (from the end where it is below 0). */
function check(place: number): Command {
  return (cmake, call) => {
    const args = textsOf(call);
    const name = args.at(place);
    const what = `${call.name}(${args[0] === undefined || args[0].length > 60 ? "" : args[0]})`;
    if (name !== undefined) checked(cmake, call, name, what);
    return undefined;
  };
}

function checked(cmake: Interpreter, call: Call, name: string, what: string): void {
  if (hasUnknown(name) || cmake.cache.has(name) || cmake.scope.has(name)) return;
  cmake.set(
    name,
    cmake.unknown(`what ${cmake.shown(what).replace(/\s+/g, " ")} finds is not known`),
    call.origin,
    cmake.cache,
  );
}

/** Headers that GCC and glibc have wherever they are installed. */
const ownHeaders =
  /^(?:assert|complex|ctype|dirent|dlfcn|errno|fcntl|fenv|float|getopt|inttypes|limits|locale|malloc|math|memory|pthread|sched|semaphore|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|wchar|sys\/(?:mman|param|resource|socket|stat|time|times|types|wait))\.h$/;

/** `check_include_file` and its kin: the compiler's own headers are there. */
function checkInclude(cmake: Interpreter, call: Call): undefined {
  const [headers = "", name = ""] = textsOf(call);
  const isOwn = !hasUnknown(headers) && splitListWhole(headers).every((header) => ownHeaders.test(header));
  if (isOwn && !hasUnknown(name) && !cmake.cache.has(name)) cmake.set(name, "1", call.origin, cmake.cache);
  else checked(cmake, call, name, `${call.name}(${headers.slice(0, 60)})`);
  return undefined;
}

const outputs = ["OUTPUT_VARIABLE", "ERROR_VARIABLE"] as const;
const results = ["RESULT_VARIABLE", "RESULTS_VARIABLE"] as const;

function executeProcess(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const at = args.indexOf("COMMAND") + 1;
  const end = args.findIndex((text, index) => index >= at && /^[A-Z]+(?:_[A-Z]+)+$/.test(text));
  const command = args.slice(at, end === -1 ? undefined : end);
  const answer = args.indexOf("COMMAND", at) === -1 ? answerOfCompiler(cmake, command) : null;
  const shown = cmake.shown(command.slice(0, 3).join(" "));
  const give = (keyword: string, text: string | null): void => {
    const name = args[args.indexOf(keyword) + 1];
    if (!args.includes(keyword) || name === undefined) return;
    const isStripped = args.includes(keyword.replace("VARIABLE", "STRIP_TRAILING_WHITESPACE"));
    const known = isStripped ? text?.trimEnd() : text;
    cmake.set(name, known ?? cmake.unknown(`what "${shown}" gives is not known`), call.origin);
  };
  for (const keyword of outputs) give(keyword, answer);
  for (const keyword of results) give(keyword, answer === null ? null : "0");
  return undefined;
}

/** What the compiler of the machine that is assumed says of itself and its linker; null for any other question. */
function answerOfCompiler(cmake: Interpreter, [program, ...asked]: readonly string[]): string | null {
  const isCompiler = ["C", "CXX"].some(
    (language) => cmake.variable(`CMAKE_${language}_COMPILER`)?.text === program,
  );
  const [question, ...more] = asked.filter((word) => word !== "");
  if (!isCompiler || more.length > 0) return null;
  switch (question) {
    case "-Wl,-v":
    case "-Wl,--version":
      return "GNU ld (GNU Binutils) 2.40\n";
    case "--version":
      return `gcc (GCC) ${assumedGcc}\n`;
    case "-dumpfullversion":
      return `${assumedGcc}\n`;
    case "-dumpversion":
      return `${assumedGcc.replace(/\..*$/, "")}\n`;
    case "-dumpmachine":
      return "x86_64-linux-gnu\n";
    default:
      return null;
  }
}

function checkLanguage(cmake: Interpreter, call: Call): undefined {
  const [language = ""] = textsOf(call);
  const name = `CMAKE_${language}_COMPILER`;
  if (cmake.variable(name) !== null) return undefined;
  const path = language === "CUDA" ? "nvcc" : ["C", "CXX"].includes(language) ? "c++" : null;
  cmake.set(
    name,
    path ?? cmake.unknown(`whether there is a compiler for ${language} is not known`),
    call.origin,
    cmake.cache,
  );
  return undefined;
}

function ipoSupported(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const at = args.indexOf("RESULT");
  const name = args[at + 1];
  if (at >= 0 && name !== undefined) checked(cmake, call, name, "check_ipo_supported");
  return undefined;
}

function siteName(cmake: Interpreter, call: Call): undefined {
  const [name] = textsOf(call);
  if (name !== undefined) cmake.set(name, cmake.unknown("the name of the machine is not known"), call.origin);
  return undefined;
}

function processorCount(cmake: Interpreter, call: Call): undefined {
  const [name] = textsOf(call);
  if (name !== undefined)
    cmake.set(name, cmake.unknown("the number of processors is not known"), call.origin);
  return undefined;
}

export const checkCommands: CommandTable = [
  ["execute_process", executeProcess],
  ["exec_program", executeProcess],
  ["try_compile", check(0)],
  ["try_run", check(0)],
  ["check_c_compiler_flag", check(1)],
  ["check_cxx_compiler_flag", check(1)],
  ["check_cuda_compiler_flag", check(1)],
  ["check_compiler_flag", check(2)],
  ["check_linker_flag", check(2)],
  ["check_include_file", checkInclude],
  ["check_include_file_cxx", checkInclude],
  ["check_include_files", checkInclude],
  ["check_function_exists", check(1)],
  ["check_symbol_exists", check(2)],
  ["check_cxx_symbol_exists", check(2)],
  ["check_library_exists", check(3)],
  ["check_type_size", check(1)],
  ["check_c_source_compiles", check(1)],
  ["check_cxx_source_compiles", check(1)],
  ["check_cuda_source_compiles", check(1)],
  ["check_source_compiles", check(2)],
  ["check_c_source_runs", check(1)],
  ["check_cxx_source_runs", check(1)],
  ["check_source_runs", check(2)],
  ["check_struct_has_member", check(3)],
  ["check_prototype_definition", check(-1)],
  ["test_big_endian", bigEndian],
  ["check_language", checkLanguage],
  ["check_ipo_supported", ipoSupported],
  ["site_name", siteName],
  ["processorcount", processorCount],
  ["cmake_host_system_information", hostInformation],
];

function bigEndian(cmake: Interpreter, call: Call): undefined {
  const [name] = textsOf(call);
  if (name !== undefined) cmake.set(name, "0", call.origin);
  return undefined;
}

function hostInformation(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const name = args[args.indexOf("RESULT") + 1];
  if (name !== undefined) cmake.set(name, cmake.unknown("the machine that builds is not known"), call.origin);
  return undefined;
}
