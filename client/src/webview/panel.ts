// The script of the panel's page: shows what the extension sends, and says what was picked. Lanes are chosen by click or by arrow keys.
import type { PanelChoice, PanelLane } from "../../../server/src/render/content.ts";
import type { FromPanel, KeptPanel, ToPanel } from "../panel-messages.ts";
import { laneAfterKey } from "./lane-keys.ts";

declare function acquireVsCodeApi(): {
  readonly postMessage: (message: FromPanel) => void;
  readonly setState: (state: KeptPanel | undefined) => void;
};

const vscode = acquireVsCodeApi();
const content = element("content");
const laneSection = element("lanes");
const laneList = element("lane-list");
const laneValues = element("lane-values");
const hint = content.innerHTML;

let lanes: readonly PanelLane[] = [];
let selectedLane = 0;
/** Of the table of costs; null: as it comes. */
let order: { readonly column: number; readonly isAscending: boolean } | null = null;
/** Another access is read from its top; a pick on the same one leaves the page where it is. */
let shownAccess = "";

window.addEventListener("message", ({ data }: MessageEvent<ToPanel>) => show(data));
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement) pick(target);
});
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const lane = laneOf(target);
  const heading = target.closest<HTMLElement>("[data-sort]");
  const row = target.closest<HTMLElement>("[data-row]");
  if (lane !== null) selectLane(lane, "keep-focus");
  else if (heading !== null) sortAgain(heading);
  else if (row !== null) revealRow(row);
  else if (target.closest("[data-reveal]") !== null) vscode.postMessage({ kind: "reveal" });
});
content.addEventListener("keydown", ({ key, target }) => {
  if (key === "Enter" && target instanceof HTMLElement && target.matches("[data-row]")) revealRow(target);
});
laneList.addEventListener("keydown", (event) => {
  const lane = laneAfterKey(event.key, selectedLane, lanes.length);
  if (lane === null) return;
  event.preventDefault();
  selectLane(lane, "focus");
});
vscode.postMessage({ kind: "ready" });

function show({ html, lanes: sent, kept }: ToPanel): void {
  // While the code has the keyboard, an element here may still be called active: to focus it would take the keyboard away.
  const focused = document.hasFocus() ? document.activeElement : null;
  const picked = focused?.getAttribute("data-pick") ?? null;
  const isOnLane = laneList.contains(focused);
  // Made by the server's `render`, which escapes all text of the user's; the page's policy runs no script in it.
  content.innerHTML = html ?? hint;
  lanes = sent;
  vscode.setState(kept ?? undefined);
  laneSection.hidden = lanes.length === 0;
  drawLanes();
  sortRows();
  // What the keyboard was on is a new element now; who works by keyboard stays there.
  selectLane(firstActive(selectedLane), isOnLane ? "focus" : "keep-focus");
  if (picked !== null) content.querySelector<HTMLElement>(`[data-pick="${CSS.escape(picked)}"]`)?.focus();
  const access = kept === null ? "" : JSON.stringify([kept.uri, kept.position]);
  if (access !== shownAccess) content.scrollTop = 0;
  shownAccess = access;
}

function revealRow(row: HTMLElement): void {
  const index = Number.parseInt(row.dataset.row ?? "", 10);
  if (!Number.isNaN(index)) vscode.postMessage({ kind: "reveal-row", row: index });
}

/** A second click on a heading turns the order round. */
function sortAgain(heading: HTMLElement): void {
  const column = Number.parseInt(heading.dataset.sort ?? "", 10);
  if (Number.isNaN(column)) return;
  order = { column, isAscending: order?.column === column && !order.isAscending };
  sortRows();
}

/** As the table comes, by excess, until a heading is clicked. */
function sortRows(): void {
  const body = content.querySelector("tbody");
  if (order === null || body === null) return;
  const { column, isAscending } = order;
  for (const heading of content.querySelectorAll("th"))
    if (heading.cellIndex === column)
      heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
    else heading.removeAttribute("aria-sort");
  const cellValue = (row: HTMLTableRowElement) => row.cells[column]?.dataset.value ?? "";
  const sign = isAscending ? 1 : -1;
  const rows = [...body.rows].sort((a, b) => sign * compared(cellValue(a), cellValue(b)));
  body.replaceChildren(...rows);
}

function compared(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}

function firstActive(wanted: number): number {
  if (lanes[wanted]?.isActive === true) return wanted;
  return Math.max(
    0,
    lanes.findIndex(({ isActive }) => isActive),
  );
}

function pick(list: HTMLSelectElement): void {
  const name = list.dataset.pick;
  if (isPickName(name)) vscode.postMessage({ kind: "pick", name, id: list.value });
}

function isPickName(name: string | undefined): name is keyof PanelChoice {
  return name === "operation" || name === "launch" || name === "warp" || name === "trip";
}

function drawLanes(): void {
  const buttons = lanes.map(({ lane, isActive }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "option");
    button.dataset.lane = String(lane);
    button.textContent = String(lane);
    button.title = isActive ? `lane ${lane}` : `lane ${lane}, inactive`;
    button.classList.toggle("inactive", !isActive);
    return button;
  });
  laneList.replaceChildren(...buttons);
}

/** The lane that was clicked; the map's cells name theirs as the list does. */
function laneOf(target: Element): number | null {
  const named = target.closest("[data-lane]")?.getAttribute("data-lane") ?? "";
  const lane = Number.parseInt(named, 10);
  return Number.isNaN(lane) ? null : lane;
}

function selectLane(lane: number, focus: "focus" | "keep-focus"): void {
  selectedLane = lane;
  for (const cell of document.querySelectorAll("[data-lane]")) {
    const isSelected = (cell.getAttribute("data-lane") ?? "").split(" ").includes(String(lane));
    cell.classList.toggle("selected", isSelected);
    if (!(cell instanceof HTMLButtonElement)) continue;
    cell.setAttribute("aria-selected", String(isSelected));
    cell.tabIndex = isSelected ? 0 : -1;
    if (isSelected && focus === "focus") cell.focus();
  }
  drawValues(lanes[lane]);
}

function drawValues(lane: PanelLane | undefined): void {
  laneValues.replaceChildren();
  if (lane === undefined) return;
  const title = document.createElement("h2");
  title.textContent = lane.isActive ? `Lane ${lane.lane}` : `Lane ${lane.lane}: inactive`;
  const list = document.createElement("dl");
  for (const { name, value } of lane.values) {
    const term = document.createElement("dt");
    term.textContent = name;
    const definition = document.createElement("dd");
    definition.textContent = value;
    list.append(term, definition);
  }
  laneValues.append(title, list);
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page lacks #${id}`);
  return found;
}
