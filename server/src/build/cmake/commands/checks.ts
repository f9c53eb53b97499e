// Commands that try something on the machine: what they find is not known, unless a build tree remembers it.
import type { Call, Interpreter } from "../interpreter.ts";
import { hasUnknown } from "../unknown.ts";
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

function executeProcess(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const at = args.indexOf("COMMAND");
  const command = args.slice(at + 1, at + 4).join(" ");
  for (const keyword of ["OUTPUT_VARIABLE", "RESULT_VARIABLE", "ERROR_VARIABLE", "RESULTS_VARIABLE"]) {
    const name = args[args.indexOf(keyword) + 1];
    if (!args.includes(keyword) || name === undefined) continue;
    cmake.set(name, cmake.unknown(`what "${cmake.shown(command)}" gives is not known`), call.origin);
  }
  return undefined;
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
  ["check_include_file", check(1)],
  ["check_include_file_cxx", check(1)],
  ["check_include_files", check(1)],
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
