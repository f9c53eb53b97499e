// The grammar of the command line.
import { Argument, Command, CommanderError, Option } from "commander";
import { clean } from "./cached.ts";
import { analyze, type CheckOptions, check } from "./commands.ts";
import { type CompareCommandOptions, compare, comparisonFormats } from "./compare.ts";
import { completionScript, type Shell, shells } from "./completion.ts";
import { type ConfigOptions, printConfig } from "./config.ts";
import type { CommandOptions } from "./linted.ts";
import { manPage } from "./man-page.ts";
import type { MeasuredOptions } from "./measured.ts";
import {
  addDefine,
  addPath,
  parseArchitecture,
  parseBlock,
  parseCount,
  parseJobs,
  parseTolerance,
} from "./options.ts";
import { outputFormats } from "./piece.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Runs the command line `args` (without node and script). Never throws and never ends the process. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = new Command("warplint")
    .description(
      "Finds shared-memory bank conflicts and uncoalesced accesses in CUDA source, with the figures of Nsight Compute.\n" +
        "No GPU, no CUDA toolkit and no build are needed.",
    )
    .version(terminal.version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Print this help.")
    .helpCommand("help [command]", "Print the help of a command.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text.replace(/^error: /, "warplint: ")),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 no findings, 1 findings (check only), 2 wrong usage or configuration, a path that cannot be linted, or an internal error, 130 interrupted." +
        "\nEnvironment: WARPLINT_CACHE_DIR is where `check` keeps its cache, NO_COLOR and FORCE_COLOR decide on colours.",
    );

  withCommonOptions(program.command("check"))
    .description("Print findings for the files, and for the CUDA files below the directories.")
    .argument("[paths...]", "files and directories; without any, the current directory")
    .addOption(new Option("--format <format>", "how to print").choices(outputFormats).default("text"))
    .addOption(
      new Option("--no-fixes", "do not search for fixes, which takes most of the time").conflicts([
        "fix",
        "unsafeFixes",
        "diff",
      ]),
    )
    .option("--fix", "make the safe fixes; each has been tried on the simulator")
    .option("--unsafe-fixes", "make what is only suggested too: other launch shapes, rewritten accesses")
    .option("--diff", "write nothing, print what --fix (with --unsafe-fixes: both) would change")
    .addOption(
      new Option(
        "--statistics",
        "print counts and costs by rule and by kernel, worst first, in place of the findings",
      ).conflicts(fixing),
    )
    .option("--output-file <file>", "write to this file in place of standard output")
    .addOption(
      new Option(
        "--quiet",
        "print errors and warnings alone: no information, no notes, no summary",
      ).conflicts(fixing),
    )
    .addOption(
      new Option("--max-warnings <count>", "exit with 1 only for errors, or for more warnings than these")
        .argParser(parseCount)
        .conflicts(fixing),
    )
    .addOption(
      new Option("--baseline <file>", "do not report the findings that this file knows").conflicts(fixing),
    )
    .addOption(
      new Option("--update-baseline", "write the findings of this run to the file of --baseline").conflicts(
        fixing,
      ),
    )
    .addOption(
      new Option(
        "--since <revision>",
        "report only kernels that cost more or less than in this revision of git, or are new",
      ).conflicts([...fixing, "stdin", "updateBaseline"]),
    )
    .addOption(
      new Option("--stdin", "lint what comes over standard input, as the file of --stdin-filename").conflicts(
        [...fixing, "watch"],
      ),
    )
    .option("--stdin-filename <file>", "where the text of --stdin belongs")
    .addOption(new Option("--watch", "lint again after each change, until Ctrl-C").conflicts(fixing))
    .option(
      "--no-cache",
      "neither take what earlier runs found in files that have not changed, nor keep it (in .warplint_cache)",
    )
    .option(
      "-j, --jobs <count>",
      "threads to lint in; the processors if not given, one where there is little to do",
      parseJobs,
    )
    .addHelpText(
      "after",
      examples(
        "warplint check",
        "warplint check --no-fixes --format github src",
        "warplint check --since origin/main .",
        "warplint check --fix kernels.cu",
      ),
    )
    .action(async (paths: string[], options: CheckOptions) => {
      exitCode = await check(paths, options, terminal);
    });

  withCommonOptions(program.command("analyze"))
    .description("Print everything that is known of every launch and access as JSON.")
    .argument("<files...>", "files and directories")
    .addOption(new Option("--format <format>", "the only one").choices(["json"]).default("json"))
    .option("--no-fixes", "do not search for fixes, which takes most of the time where there are findings")
    .addHelpText("after", examples("warplint analyze --no-fixes kernels.cu > before.json"))
    .action(async (paths: string[], options: CommandOptions & { fixes: boolean }) => {
      exitCode = await analyze(paths, options, terminal);
    });

  withCommonOptions(program.command("compare"))
    .description(
      "Say which kernels cost more beyond their ideal than before: a gate for pull requests, without a GPU.\n" +
        "Each side is a revision of git, a folder, or a report saved with `analyze`.",
    )
    .argument("<base>", "what was before")
    .argument("[head]", "what is now; the working tree if not given")
    .addOption(new Option("--format <format>", "how to print").choices(comparisonFormats).default("text"))
    .addOption(
      new Option(
        "--tolerance <amount>",
        "how much the excess of a launch may rise: 5% of what it cost, or 1000 wavefronts and sectors",
      )
        .argParser(parseTolerance)
        .default({ kind: "count", value: 0 }, "0"),
    )
    .option("--budget <file>", "the most excess of each kernel that it names, which is judged by that alone")
    .option("--update-budget", "write what kernels cost now to the file of --budget, and end with 0")
    .option("--path <path>", "compare this file or folder of each side; may be given again", addPath)
    .addHelpText(
      "after",
      "\nExamples:\n  warplint compare main\n  warplint compare origin/main HEAD --format markdown --tolerance 1%" +
        "\n  warplint compare before.json after.json" +
        "\n\nExit codes: 0 no kernel is worse, 1 some kernel is worse or over its budget, 2 a side could not be analysed.",
    )
    .action(async (base: string, head: string | undefined, options: CompareCommandOptions) => {
      exitCode = await compare(base, head ?? null, options, terminal);
    });

  withCommonOptions(program.command("measured"))
    .description(
      "Show what Nsight Compute counted beside what is predicted, line by line, with the likely reason where they differ.",
    )
    .argument("<report>", "a .ncu-rep file, or the CSV of `ncu --page source` or `--page raw`")
    .argument("[paths...]", "the sources that were profiled; without any, the current directory")
    .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      "\nExamples:\n  ncu --section SourceCounters --section LaunchStats -o report ./program\n  warplint measured report.ncu-rep" +
        "\n  ncu --import report.ncu-rep --page source --print-source cuda,sass --csv > report.csv\n  warplint measured report.csv src" +
        "\n\nExit codes: 0 all that is predicted was measured, 1 a figure differs, 2 the report or a source could not be read.",
    )
    .action(async (report: string, paths: string[], options: MeasuredOptions) => {
      const { measured } = await import("./measured.ts");
      exitCode = await measured(report, paths, options, terminal);
    });

  withCommonOptions(program.command("config"))
    .description(
      "Print the configuration that holds for a file or directory, and what the build passes to a file's compiler.",
    )
    .argument("[path]", "a file or directory", ".")
    .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("json"))
    .addHelpText("after", examples("warplint config kernels.cu --format text"))
    .action((path: string, options: ConfigOptions) => {
      exitCode = printConfig(path, options, terminal);
    });

  program
    .command("clean")
    .description("Remove the cache of `check` that is used in the current directory.")
    .addHelpText("after", examples("warplint clean"))
    .action(() => {
      clean(terminal);
    });

  program
    .command("lsp")
    .description("Serve an editor over the Language Server Protocol, until it says to exit.")
    .addOption(new Option("--stdio", "over standard input and output").conflicts("nodeIpc"))
    .addOption(new Option("--node-ipc", "over the channel of a parent that is Node"))
    .addOption(new Option("--clientProcessId <id>", "exit when this process does"))
    .addHelpText("after", examples("warplint lsp --stdio"))
    .action(async ({ stdio, nodeIpc }: { stdio?: true; nodeIpc?: true }) => {
      if (stdio || nodeIpc) return terminal.serve();
      terminal.writeError("warplint: lsp needs to know how to talk to the editor: --stdio\n");
      exitCode = 2;
    });

  program
    .command("completion")
    .description("Print a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", examples("warplint completion bash >> ~/.bashrc"))
    .action((shell: Shell) => terminal.write(completionScript(shell, program)));

  program
    .command("man")
    .description("Print the manual page.")
    .addHelpText("after", examples("warplint man > warplint.1 && man ./warplint.1"))
    .action(() => terminal.write(manPage(program, terminal.version)));

  program
    .command("mcp")
    .description(
      "Serve tools to agents over the Model Context Protocol, on standard input and output: analyze, explain, fixes, apply_fix, compare, explain_unknown.",
    )
    .addHelpText("after", examples("warplint mcp"))
    .action(() => terminal.serveTools());

  if (args.length === 0) {
    program.outputHelp({ error: true });
    return 2;
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.writeError(
      `warplint: internal error: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 2;
  }
  return exitCode;
}

const fixing = ["fix", "unsafeFixes", "diff"];

/** As the end of a command's help. */
function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function withCommonOptions(command: Command): Command {
  return command
    .option("--arch <architecture>", "the GPU whose figures to predict, such as sm_90", parseArchitecture)
    .option("--block <x,y,z>", "the block of kernels that nothing launches", parseBlock)
    .option("-D, --define <name=value>", "define a macro; may be given again", addDefine)
    .option(
      "-I, --include-path <directory>",
      "search for included files here too; may be given again",
      addPath,
    )
    .option("--config <file>", "use this configuration in place of the nearest warplint.json");
}
