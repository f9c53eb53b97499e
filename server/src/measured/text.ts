// Measured beside predicted as text for a terminal.
import { onOneLine } from "../render/visible.ts";
import { countText } from "../render/words.ts";
import type { BesideLaunch, MeasuredRow } from "./beside.ts";

export function besideText(launches: readonly BesideLaunch[]): string {
  const parts = launches.map(launchText);
  const rows = launches.flatMap((launch) => launch.rows);
  const differing = rows.filter(isDifferent).length;
  const unknown = rows.filter(({ predicted }) => predicted === null).length;
  const left = launches.filter(({ predicted }) => predicted === null).length;
  const counts = [
    `${countText(rows.length - differing - unknown)} of ${countText(rows.length)} figures as predicted`,
    ...(differing === 0 ? [] : [`${countText(differing)} differ`]),
    ...(unknown === 0 ? [] : [`${countText(unknown)} not predicted`]),
    ...(left === 0 ? [] : [`${countText(left)} of ${countText(launches.length)} launches not predicted`]),
  ];
  return `${[...parts, counts.join(", ")].join("\n")}\n`;
}

export function isDifferent({ measured, predicted }: MeasuredRow): boolean {
  return (
    predicted !== null &&
    (Math.round(measured.cost) !== Math.round(predicted.cost) ||
      Math.round(measured.ideal) !== Math.round(predicted.ideal))
  );
}

function launchText({ measured, count, rows, reason }: BesideLaunch): string {
  const { signature, block, grid } = measured;
  const shape = [
    block === null ? null : `block ${extentsText(block)}`,
    grid === null ? null : `grid ${extentsText(grid)}`,
    count === 1 ? null : `${countText(count)} times`,
  ].filter((part) => part !== null);
  const head = `${onOneLine(signature)}${shape.length === 0 ? "" : `: ${shape.join(", ")}`}`;
  if (reason !== null) return `${head}\n  not predicted: ${reason}`;
  if (rows.length === 0) return `${head}\n  no accesses to shared or global memory`;
  const table = [
    ["line", "", "measured", "ideal", "predicted", "ideal", "difference"],
    ...rows.map((row) => [
      placeText(row),
      row.unit,
      countText(row.measured.cost),
      countText(row.measured.ideal),
      row.predicted === null ? "unknown" : countText(row.predicted.cost),
      row.predicted === null ? "" : countText(row.predicted.ideal),
      row.predicted === null ? "" : signed(row.measured.cost - row.predicted.cost),
    ]),
  ];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const lines = table.map((cells, index) => {
    const text = cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
    const why = rows[index - 1]?.reason ?? null;
    return `  ${text}${why === null ? "" : `\n    ${onOneLine(why)}`}`;
  });
  return [head, ...lines].join("\n");
}

/** "a.cu:12,14 cuda_fp16.hpp:274". */
function placeText({ places }: MeasuredRow): string {
  if (places.length === 0) return "whole launch";
  return places.map(({ file, lines }) => `${onOneLine(file)}:${lines.join(",")}`).join(" ");
}

function signed(value: number): string {
  return value === 0 ? "0" : `${value > 0 ? "+" : "−"}${countText(Math.abs(value))}`;
}

function extentsText(extents: readonly number[]): string {
  const [x = 1, y = 1, z = 1] = extents;
  return `(${[x, y, z].slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).join(",")})`;
}
