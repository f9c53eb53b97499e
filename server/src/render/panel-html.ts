// The bank map's panel as HTML fragments: no styles, no scripts, no handlers, so that the strictest policy lets them in.
import type { Cell, RequestMap } from "./bank-map.ts";
import type { PanelAfter, PanelOption, PanelState } from "./content.ts";
import { costTableHtml } from "./cost-table-html.ts";
import { escapeHtml } from "./html.ts";
import { mapSvg } from "./map-svg.ts";

/** What the panel shows of `state`. Pickers are `select[data-pick]`; the expression, `[data-reveal]`, is to lead to the code. */
export function panelHtml(state: PanelState): string {
  const { expression, kind, kernel, headline, cost, choice, map, after, notes } = state;
  const pickers = [
    picker("Operation", "operation", state.operations, choice.operation),
    picker("Launch", "launch", state.launches, choice.launch),
    picker("Warp", "warp", state.warps, choice.warp),
    picker("Iteration", "trip", state.trips, choice.trip),
  ].join("");
  return [
    `<h1 data-reveal>${escapeHtml(expression)}</h1>`,
    `<p class="kind">${escapeHtml(`${kind} · ${kernel}`)}</p>`,
    `<p class="headline">${escapeHtml(headline)}</p>`,
    cost === null ? "" : `<p class="totals">${escapeHtml(cost.totals)}</p>`,
    pickers === "" ? "" : `<div class="pickers">${pickers}</div>`,
    map === null ? "" : mapSvg(map, { id: "map", title: `Map of ${expression}`, description: headline }),
    map === null ? "" : legendHtml(map),
    notes.length === 0
      ? ""
      : `<ul class="notes">${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`,
    after === null ? "" : afterHtml(after),
    cost === null ? "" : costTableHtml(cost),
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

/** What the colours of the map stand for, those that it has. */
function legendHtml({ tone, rows }: RequestMap): string {
  const cells = new Set(rows.flatMap((row) => row.cells));
  const meanings: readonly (readonly [Cell, string])[] = [
    ["used", tone === "excess" ? "accessed, with excess" : "accessed, ideal"],
    ["other", "the same, by the next lane"],
    ["shared", "one word for several lanes (B: broadcast)"],
    ["idle", "not used"],
  ];
  const items = meanings
    .filter(([cell]) => cells.has(cell))
    .map(([cell, meaning]) => `<span class="swatch ${tone} ${cell}"></span> ${meaning}`);
  return `<p class="legend">${items.join(" ")}</p>`;
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
