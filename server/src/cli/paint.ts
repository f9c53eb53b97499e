// Colours of the terminal.
import type pc from "picocolors";
import type { Paint } from "../render/report.ts";

export function colouredPaint(colours: typeof pc): Paint {
  const ofSeverity = { error: colours.red, warning: colours.yellow, information: colours.cyan };
  return {
    path: colours.bold,
    severity: (text, severity) => ofSeverity[severity](text),
    rule: colours.dim,
    faint: colours.dim,
  };
}
