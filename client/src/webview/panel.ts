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
/** Another access is read from its top; a pick on the same one leaves the page where it is. */
let shownAccess = "";

window.addEventListener("message", ({ data }: MessageEvent<ToPanel>) => show(data));
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement) pick(target);
});
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const lane = laneOf(target);
  if (lane !== null) selectLane(lane, "keep-focus");
  else if (target.closest("[data-reveal]") !== null) vscode.postMessage({ kind: "reveal" });
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
  // What the keyboard was on is a new element now; who works by keyboard stays there.
  selectLane(firstActive(selectedLane), isOnLane ? "focus" : "keep-focus");
  if (picked !== null) content.querySelector<HTMLElement>(`[data-pick="${CSS.escape(picked)}"]`)?.focus();
  const access = kept === null ? "" : JSON.stringify([kept.uri, kept.position]);
  if (access !== shownAccess) content.scrollTop = 0;
  shownAccess = access;
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
