// A hover as plain text, for clients that show no markdown.
import { drawMap } from "./bank-map.ts";
import type { HoverBlock, HoverContent } from "./content.ts";

/** The hover as lines of plain text. Links lead nowhere there and are left out; the steps of a path stay. */
export function hoverPlainText({ blocks }: HoverContent): string {
  return blocks
    .map((block) => linesOf(block).join("\n"))
    .filter((text) => text !== "")
    .join("\n\n");
}

function linesOf(block: HoverBlock): readonly string[] {
  switch (block.kind) {
    case "line":
      return [block.spans.map(({ text }) => text).join("")];
    case "map":
      return drawMap(block.map);
    case "columns":
      return block.lines;
    case "table":
      return tableLines([block.head, ...block.rows]);
    case "path":
      return [`from ${block.links.map(({ title }) => title).join(" → ")}`];
    case "links":
      return [];
  }
}

/** Cells below each other: the first column to the left, figures to the right. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
