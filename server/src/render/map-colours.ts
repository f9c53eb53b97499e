// The colours of a map, by the names that VS Code's themes give theirs.
import type { Cell, MapTone } from "./bank-map.ts";

const excess: Readonly<Record<Cell, string | null>> = {
  used: "charts-red",
  other: "charts-orange",
  shared: "charts-green",
  idle: "disabledForeground",
  gap: null,
};

const ideal: typeof excess = { ...excess, used: "charts-blue", other: "charts-purple" };

/** The theme's colour of a cell; null where it has none. */
export function themeColourOf(cell: Cell, tone: MapTone): string | null {
  return (tone === "excess" ? excess : ideal)[cell];
}

/** `themeColourOf` as CSS has it, with the colour of the dark theme where there is no theme. */
export function cssColourOf(cell: Cell, tone: MapTone): string | null {
  const name = themeColourOf(cell, tone);
  return name === null ? null : `var(--vscode-${name}, ${darkColours[name] ?? "#808080"})`;
}

const darkColours: Readonly<Record<string, string>> = {
  "charts-red": "#f14c4c",
  "charts-orange": "#d18616",
  "charts-green": "#89d185",
  "charts-blue": "#3794ff",
  "charts-purple": "#b180d7",
  disabledForeground: "#808080",
};
