// `warplint man`: the manual page, made of what `--help` says.
import type { Command, Help } from "commander";

/** In the language of man(7). */
export function manPage(program: Command, version: string): string {
  const { commands } = program;
  return [
    `.TH WARPLINT 1 "" "warplint ${version}" "User Commands"`,
    ".SH NAME",
    `warplint \\- ${escaped(firstLine(program.description()))}`,
    ".SH SYNOPSIS",
    ".B warplint",
    ".I command",
    "[options]",
    ".SH COMMANDS",
    ...commands.flatMap((command) => commandSection(command, program.createHelp())),
    "",
  ].join("\n");
}

function commandSection(command: Command, help: Help): string[] {
  return [
    `.SS ${escaped(`warplint ${command.name()} ${command.usage()}`)}`,
    escaped(command.description()),
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .flatMap((argument) => [".TP", `.I ${escaped(argument.name())}`, escaped(argument.description)]),
    ...help
      .visibleOptions(command)
      .flatMap(({ flags, description, argChoices }) => [
        ".TP",
        `.B ${escaped(flags)}`,
        escaped(argChoices === undefined ? description : `${description} (${argChoices.join(", ")})`),
      ]),
  ].filter((line) => line !== "");
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** No line may begin with a dot or an apostrophe, and a hyphen is to be copied as one. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}
