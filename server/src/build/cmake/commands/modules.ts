// What CMake's own modules do, as far as flags hang on it.
import { resolvePath } from "../../../text/path.ts";
import type { Call, Interpreter } from "../interpreter.ts";

/** Whether a module of that name comes with CMake; what it sets is set. */
export function includeModule(cmake: Interpreter, name: string, call: Call): boolean {
  const put = (variable: string, text: string): void => {
    if (cmake.variable(variable) === null) cmake.set(variable, text, call.origin);
  };
  if (name === "GNUInstallDirs") {
    for (const [variable, path] of installDirectories) {
      put(`CMAKE_INSTALL_${variable}`, path);
      put(`CMAKE_INSTALL_FULL_${variable}`, resolvePath("/usr/local", path));
    }
    return true;
  }
  if (name === "CTest") {
    if (!cmake.scope.has("BUILD_TESTING") && !cmake.cache.has("BUILD_TESTING")) {
      cmake.set("BUILD_TESTING", "ON", call.origin, cmake.cache);
    }
    return true;
  }
  if (name === "CheckIPOSupported" || name.startsWith("Check") || name.startsWith("Test")) return true;
  return known.has(name);
}

const installDirectories: readonly (readonly [string, string])[] = [
  ["BINDIR", "bin"],
  ["SBINDIR", "sbin"],
  ["LIBEXECDIR", "libexec"],
  ["SYSCONFDIR", "etc"],
  ["LIBDIR", "lib"],
  ["INCLUDEDIR", "include"],
  ["DATAROOTDIR", "share"],
  ["DATADIR", "share"],
  ["DOCDIR", "share/doc"],
  ["MANDIR", "share/man"],
];

const known = new Set(
  (
    "AddFileDependencies BundleUtilities CMakeDependentOption CMakeFindDependencyMacro CMakePackageConfigHelpers CMakeParseArguments " +
    "CMakePrintHelpers CMakePushCheckState CPack CPackComponent CTestUseLaunchers Dart DetermineCompilerLanguage Documentation " +
    "ExternalData ExternalProject FeatureSummary FetchContent FindCUDA FindPackageHandleStandardArgs FindPackageMessage " +
    "FindPkgConfig FortranCInterface GenerateExportHeader GoogleTest InstallRequiredSystemLibraries ProcessorCount " +
    "SelectLibraryConfigurations SquishTestScript UseSWIG UseJava WriteBasicConfigVersionFile WriteCompilerDetectionHeader " +
    "FindCUDA/select_compute_arch CMakeDetermineCUDACompiler CMakeDetermineCXXCompiler CUDA FindThreads FindOpenMP"
  ).split(" "),
);
