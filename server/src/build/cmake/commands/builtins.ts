// All commands of CMake that are known, and what is made of those that are not.
import type { Call, Interpreter } from "../interpreter.ts";
import { checkCommands } from "./checks.ts";
import type { Command } from "./command.ts";
import { customCommands } from "./custom-command.ts";
import { directoryCommands } from "./directories.ts";
import { fileCommands } from "./files.ts";
import { legacyCudaCommands } from "./legacy-cuda.ts";
import { listCommands } from "./lists.ts";
import { packageCommands } from "./packages.ts";
import { pathCommands } from "./paths.ts";
import { projectCommands } from "./project.ts";
import { propertyCommands } from "./properties.ts";
import { stringCommands } from "./strings.ts";
import { makeCompiledTarget, targetCommands } from "./targets.ts";
import { variableCommands } from "./variables.ts";

/** Commands of which no flag hangs. */
const without =
  "enable_testing add_test install export mark_as_advanced variable_watch source_group set_tests_properties include_regular_expression " +
  "aux_source_directory_ build_command cmake_print_variables cmake_print_properties gtest_discover_tests gtest_add_tests catch_discover_tests " +
  "write_basic_package_version_file configure_package_config_file feature_summary add_feature_info set_package_properties " +
  "cmake_push_check_state cmake_pop_check_state cmake_reset_check_state cpack_add_component cpack_add_install_type cpack_add_component_group print_enabled_features " +
  "find_package_message export_library_dependencies load_cache qt_wrap_cpp use_mangled_mesa target_link_options endif else endforeach endwhile " +
  "endfunction endmacro endblock elseif ctest_start externalproject_add_step externalproject_add_steptargets add_file_dependencies " +
  "externalproject_add_stepdependencies install_files install_programs install_targets create_test_sourcelist cmake_file_api";

/** A command that nothing is known of: one that is named as if it made a target is taken to make one of the sources that it is given. */
function unknownCommand(cmake: Interpreter, call: Call): undefined {
  const name = call.args[0];
  const sources = call.args.slice(1).filter(({ text }) => /\.(?:cu|cpp|cc|cxx|c)$/.test(text));
  if (
    name !== undefined &&
    sources.length > 0 &&
    /(?:^|_)add_\w*(?:module|library|executable|extension|test|target)s?$/.test(call.name)
  ) {
    const type = /executable|test/.test(call.name) ? "EXECUTABLE" : "MODULE_LIBRARY";
    const target = makeCompiledTarget(cmake, call, name.text, type, sources);
    cmake.append(target.properties, "(unknown)", [{ text: call.name, origin: call.origin, doubt: null }]);
  }
  cmake.note(`${call.name}(${call.args[0]?.text ?? ""})`, "the command is not known", call.origin);
  return undefined;
}

function auxSourceDirectory(cmake: Interpreter, call: Call): undefined {
  const [directory, variable] = call.args;
  if (directory === undefined || variable === undefined) return undefined;
  const path = cmake.pathOf(directory.text);
  cmake.readFiles.add(path);
  const files = cmake.host
    .list(path)
    .filter(({ name, kind }) => kind === "file" && /\.(?:c|cc|cpp|cxx|cu|C|c\+\+)$/.test(name))
    .map(({ name }) => `${directory.text.replace(/\/$/, "")}/${name}`);
  const before = cmake.text(variable.text);
  cmake.set(variable.text, [...(before === "" ? [] : [before]), ...files].join(";"), call.origin);
  return undefined;
}

export const builtins: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...without.split(" ").map((name): [string, Command] => [name, () => undefined]),
  ...[
    ...variableCommands,
    ...listCommands,
    ...stringCommands,
    ...pathCommands,
    ...fileCommands,
    ...projectCommands,
    ...directoryCommands,
    ...targetCommands,
    ...customCommands,
    ...propertyCommands,
    ...packageCommands,
    ...legacyCudaCommands,
    ...checkCommands,
  ],
  ["aux_source_directory", auxSourceDirectory],
  ["(unknown)", unknownCommand],
]);
