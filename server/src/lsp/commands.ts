// What a click is to do, as a command of the client or as an address.
import type { Command, Position } from "vscode-languageserver";
import type { ContentCommand } from "../render/content.ts";
import { rulePage } from "./diagnostics.ts";
import type { ClientFeatures } from "./features.ts";
import type { Locations } from "./locations.ts";
import { clientCommands, type PlaceArgument, type RangeArgument, type RuleArgument } from "./protocol.ts";

/** A command that the client's extension has. */
export function clientCommand(command: ContentCommand, title: string, locations: Locations): Command {
  switch (command.kind) {
    case "show-map":
      return {
        title,
        command: clientCommands.showBankMap,
        arguments: [placeArgument(command.file, command.offset, locations)],
      };
    case "choose-launch":
      return {
        title,
        command: clientCommands.chooseLaunch,
        arguments: [placeArgument(command.file, command.offset, locations)],
      };
    case "pick-fix":
      return {
        title,
        command: clientCommands.pickFix,
        arguments: [placeArgument(command.file, command.offset, locations)],
      };
    case "open-rule": {
      const argument: RuleArgument = { rule: command.rule };
      return { title, command: clientCommands.showRule, arguments: [argument] };
    }
    case "open-place": {
      const argument: RangeArgument = locations.locationOf(command.place);
      return { title, command: clientCommands.openPlace, arguments: [argument] };
    }
  }
}

/** The address behind a link in a hover; null where this client can do nothing with it. */
export function linkTo(
  command: ContentCommand,
  locations: Locations,
  features: ClientFeatures,
): string | null {
  if (features.commandLinks) {
    const { command: name, arguments: given } = clientCommand(command, "", locations);
    return `command:${name}?${encodeURIComponent(JSON.stringify(given))}`;
  }
  if (command.kind === "open-rule") return rulePage(command.rule, features);
  if (command.kind !== "open-place") return null;
  const { uri, range } = locations.locationOf(command.place);
  return `${uri}#L${range.start.line + 1}`;
}

function placeArgument(file: string, offset: number, locations: Locations): PlaceArgument {
  const { uri, range } = locations.locationOf({ file, start: offset, end: offset });
  const position: Position = range.start;
  return { uri, position };
}
