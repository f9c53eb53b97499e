// `explain_unknown`: which accesses have no figure or only a conditional one, why, and what would settle it.

import { type RatedAccess, ratedAccesses } from "../ide/contexts.ts";
import { launchSummary } from "../ide/cost.ts";
import { provisoText, uncountedText } from "../render/access-words.ts";
import { knownBoundsText, possibleCostText, unknownText } from "../render/unknown-words.ts";
import { onOneLine } from "../render/visible.ts";
import type { Analysed } from "./analysed.ts";
import { placeText } from "./analyze-text.ts";

/** A line an access, with what to give the tool so that it knows more. */
export function unknownTexts({ analysis, places }: Analysed): string {
  const lines: string[] = [];
  for (const access of ratedAccesses(analysis.groups)) {
    const text = openText(access);
    if (text === null) continue;
    const { range } = access.group;
    const line = `${placeText(range, places)} ${onOneLine(places.textOf(range))}: ${text}`;
    if (!lines.includes(line)) lines.push(line);
  }
  for (const kernel of analysis.kernels) {
    const { name, gaps } = kernel;
    if (!launchSummary(kernel, places).isKnown)
      lines.push(`${name}: nothing launches it: give \`launch\` with block, grid and arguments.`);
    lines.push(...gaps.map((gap) => `${name}: not followed: ${gap}`));
  }
  lines.push(...analysis.missingIncludes.map(({ name }) => `Header not found: ${name}`));
  lines.push(...analysis.notes.map((note) => `Note: ${note}`));
  return lines.length === 0 ? "Nothing is unknown: every access has its figure." : lines.join("\n");
}

function openText({ worst, contexts }: RatedAccess): string | null {
  const open = contexts.find(({ access }) => access.verdict.kind === "unknown") ?? worst;
  const { access, launch } = open;
  const { verdict } = access;
  if (verdict.kind === "exact" && access.totals !== null) return null;
  const parts =
    verdict.kind === "unknown"
      ? [unknownText(access, verdict.reason), knownBoundsText(access) ?? possibleCostText(access)]
      : [sentence(provisoText(access)), sentence(uncountedText(access, launch))];
  const said = [...parts, cureText(open)].filter((part) => part !== null);
  return said.length === 0 ? null : said.join(" ");
}

/** What the caller could say. */
function cureText({ access, launch, kernel }: RatedAccess["worst"]): string | null {
  const { verdict } = access;
  if (verdict.kind === "unknown" && verdict.dependsOnData)
    return "The contents of memory decide: nothing in the source settles it.";
  if (launch.origin.kind === "assumed") return null;
  const said = [
    verdict.kind === "unknown" ? verdict.reason : "",
    verdict.kind === "conditional" ? (verdict.condition ?? "") : "",
    access.uncounted?.reason ?? "",
  ].join(" ");
  const wanted = kernel.parameterNames.filter(
    (name, index) => launch.arguments[index]?.kind === "unknown" && new RegExp(`\\b${name}\\b`).test(said),
  );
  if (wanted.length > 0) return `Give \`launch\` with arguments: ${wanted.join(", ")}.`;
  return launch.grid.includes(null) ? "Give `launch` with grid: the host does not tell it." : null;
}

function sentence(text: string | null): string | null {
  return text === null ? null : `${text}.`;
}
