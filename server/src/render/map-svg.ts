// A map as SVG, for the panel and the docs: the same rows and columns as the text has.
import { type Cell, layoutMap, type RequestMap } from "./bank-map.ts";
import { escapeHtml } from "./html.ts";
import { cssColourOf } from "./map-colours.ts";

export interface SvgText {
  /** What a screen reader says first, and then on request. */
  readonly title: string;
  readonly description: string;
  /** Told apart from that of other maps in one page. */
  readonly id: string;
}

/**
 * The map as an `<svg>` without styles or scripts of its own. Colours are VS Code's theme variables, with those of its dark theme in place of
 * them elsewhere. A cell that serves lanes has them in `data-lane`: "0", or "0 1 2" where several share it.
 */
export function mapSvg(map: RequestMap, { title, description, id }: SvgText): string {
  const lines = layoutMap(map);
  const columns = Math.max(0, ...map.rows.map(({ cells }) => cells.length));
  const labelWidth = Math.max(
    ...lines.map(({ before }, index) => (isRuler(map, index) ? 4 : before.trimEnd().length)),
  );
  const cellsAt = (labelWidth + 1) * characterWidth;
  const notesAt = cellsAt + columns * cellWidth + characterWidth;
  const longestNote = Math.max(0, ...lines.map(({ after }) => after.trim().length));
  const width = Math.ceil(notesAt + longestNote * characterWidth);
  const height = lines.length * rowHeight;
  const rows = lines.map((line, index) => {
    const top = index * rowHeight;
    if (isRuler(map, index)) return rulerRow(cellsAt);
    const row = map.rows[index - (map.ruler === null ? 0 : 1)];
    const label = text(0, top, line.before.trim());
    const cells = (row?.cells ?? []).map((cell, column) =>
      cellRect(
        cssColourOf(cell, map.tone),
        cell,
        row?.lanes[column] ?? [],
        cellsAt + column * cellWidth,
        top,
      ),
    );
    const at = (row?.cells.length ?? 0) === 0 ? cellsAt : notesAt;
    return `<g class="row">${label}${cells.join("")}${text(at, top, line.after.trim())}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" class="map" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` aria-labelledby="${escapeHtml(id)}-title ${escapeHtml(id)}-description" font-family="var(--vscode-editor-font-family, monospace)" font-size="12">`,
    `<title id="${escapeHtml(id)}-title">${escapeHtml(title)}</title>`,
    `<desc id="${escapeHtml(id)}-description">${escapeHtml(description)}</desc>`,
    ...rows,
    "</svg>",
  ].join("");
}

const characterWidth = 7.5;
const cellWidth = 14;
const cellSize = 12;
const rowHeight = 18;
const textBaseline = 13;
const foreground = "var(--vscode-foreground, #cccccc)";

function isRuler(map: RequestMap, line: number): boolean {
  return map.ruler !== null && line === 0;
}

function rulerRow(cellsAt: number): string {
  const marks = [0, 8, 16, 24, 31].map((bank) => text(cellsAt + bank * cellWidth, 0, String(bank)));
  return `<g class="ruler">${text(0, 0, "bank")}${marks.join("")}</g>`;
}

function cellRect(fill: string | null, cell: Cell, lanes: readonly number[], x: number, top: number): string {
  if (fill === null) return "";
  const y = top + (rowHeight - cellSize) / 2;
  const place = `x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" rx="2" fill="${fill}"`;
  if (lanes.length === 0) return `<rect class="cell ${cell}" ${place} fill-opacity="0.3"/>`;
  // Shape as well as colour tells a broadcast: some people do not see the difference of red and green.
  const mark = cell === "shared" ? text(x + 2.5, top, "B") : "";
  return `<g class="cell ${cell}" data-lane="${lanes.join(" ")}"><title>${lanesTitle(lanes)}</title><rect ${place}/>${mark}</g>`;
}

function lanesTitle(lanes: readonly number[]): string {
  return lanes.length === 1 ? `lane ${lanes[0]}` : `lanes ${lanes.join(", ")}`;
}

function text(x: number, top: number, content: string): string {
  if (content === "") return "";
  return `<text x="${x}" y="${top + textBaseline}" fill="${foreground}" xml:space="preserve">${escapeHtml(content)}</text>`;
}
