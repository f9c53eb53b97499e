// `warplint completion`: scripts that complete commands, options and their choices in shells, made of the grammar of the command line.
import type { Command, Option } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, program: Command): string {
  if (shell === "fish") return fishScript(program);
  // zsh runs what is written for bash.
  const head = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${head}${bashScript(program)}`;
}

function bashScript({ commands }: Command): string {
  const names = commands.map((command) => command.name());
  const ofCommand = commands.map(
    (command) => `    ${command.name()}) words="${optionsOf(command).flatMap(flagsOf).join(" ")}" ;;`,
  );
  const choices = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(
        (option) =>
          `    "${command.name()} ${option.long}") words="${option.argChoices?.join(" ")}"; isChoice=1 ;;`,
      ),
  );
  return `_warplint() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="" words="" isChoice="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${names.join("|")}) command="\${COMP_WORDS[index]}"; break ;;
    esac
  done
  case "$command" in
${ofCommand.join("\n")}
    *) words="${[...names, "--help", "--version"].join(" ")}" ;;
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join("\n")}
  esac
  COMPREPLY=()
  if [[ -z "$command" || -n "$isChoice" || "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o default -F _warplint warplint
`;
}

function fishScript({ commands }: Command): string {
  const lines = commands.flatMap((command) => {
    const name = command.name();
    const own = optionsOf(command).map((option) => {
      const long = option.long === undefined || option.long === null ? "" : ` -l ${option.long.slice(2)}`;
      const short = option.short === undefined || option.short === null ? "" : ` -s ${option.short.slice(1)}`;
      const choices = option.argChoices === undefined ? "" : ` -x -a ${quoted(option.argChoices.join(" "))}`;
      return `complete -c warplint -n '__fish_seen_subcommand_from ${name}'${short}${long}${choices} -d ${quoted(option.description)}`;
    });
    const [summary = ""] = command.description().split("\n");
    return [`complete -c warplint -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`, ...own];
  });
  return `${lines.join("\n")}\n`;
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
