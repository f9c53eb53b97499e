// The bank map's panel as HTML fragments: no styles, no scripts, no handlers, so that the strictest policy lets them in.
import type { PanelAfter, PanelOption, PanelState } from "./content.ts";
import { escapeHtml } from "./html.ts";
import { mapSvg } from "./map-svg.ts";

/** What the panel shows of `state`. Pickers are `select[data-pick]`; the expression, `[data-reveal]`, is to lead to the code. */
export function panelHtml(state: PanelState): string {
  const { expression, kind, kernel, headline, choice, map, after, notes } = state;
  const pickers = [
    picker("Operation", "operation", state.operations, choice.operation),
    picker("Launch", "launch", state.launches, choice.launch),
    picker("Warp", "warp", state.warps, choice.warp),
    picker("Trip", "trip", state.trips, choice.trip),
  ].join("");
  return [
    `<h1 data-reveal>${escapeHtml(expression)}</h1>`,
    `<p class="kind">${escapeHtml(`${kind} · ${kernel}`)}</p>`,
    `<p class="headline">${escapeHtml(headline)}</p>`,
    pickers === "" ? "" : `<div class="pickers">${pickers}</div>`,
    map === null ? "" : mapSvg(map, { id: "map", title: `Map of ${expression}`, description: headline }),
    notes.length === 0
      ? ""
      : `<ul class="notes">${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`,
    after === null ? "" : afterHtml(after),
  ].join("");
}

/** The access once the fix is made, below what it is now. */
function afterHtml({ title, headline, map }: PanelAfter): string {
  return [
    `<section class="after"><h2>With the fix</h2><p class="fix">${escapeHtml(title)}</p>`,
    `<p class="headline">${escapeHtml(headline)}</p>`,
    map === null ? "" : mapSvg(map, { id: "map-after", title: "Map with the fix", description: headline }),
    "</section>",
  ].join("");
}

/** Nothing where there is nothing to pick. */
function picker(label: string, name: string, options: readonly PanelOption[], chosen: string | null): string {
  if (options.length < 2) return "";
  const items = options.map(({ id, label: text }) => {
    const selected = id === chosen ? " selected" : "";
    return `<option value="${escapeHtml(id)}"${selected}>${escapeHtml(text)}</option>`;
  });
  return `<label>${label} <select data-pick="${name}">${items.join("")}</select></label>`;
}
