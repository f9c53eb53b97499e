// The panel's table of what each access of a kernel costs. Sorting is the page's: cells carry their values.
import type { MeasuredMark, PanelCost, PanelCostRow } from "./content.ts";
import { escapeHtml } from "./html.ts";
import { countText, shareText } from "./words.ts";

/** Columns: `[data-sort]` buttons sort by the cells' `data-value`; a row's `[data-row]` leads to its access. */
export function costTableHtml({ kernel, rows }: PanelCost): string {
  const isMeasured = rows.some(({ measured }) => measured !== null);
  // Behind the excess: a narrow panel cuts off what stands further right.
  const columns = isMeasured ? ownColumns.toSpliced(2, 0, measuredColumn) : ownColumns;
  const head = columns.map(
    ({ title, isNumber }, index) =>
      `<th scope="col"${isNumber ? ' class="number"' : ""}><button type="button" data-sort="${index}">${title}</button></th>`,
  );
  const body = rows.map((row, index) => {
    const cells = columns.map(({ isNumber, cell, value }) => {
      const known = value(row);
      const marks = `${isNumber ? ' class="number"' : ""} data-value="${escapeHtml(String(known ?? -1))}"`;
      return `<td${marks}>${cell(row)}</td>`;
    });
    return `<tr data-row="${index}" tabindex="0"${row.isShown ? ' class="shown"' : ""}>${cells.join("")}</tr>`;
  });
  return [
    `<section class="cost"><h2>Memory cost of ${escapeHtml(kernel)}, all launches</h2>`,
    `<table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></section>`,
  ].join("");
}

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  /** Escaped. */
  readonly cell: (row: PanelCostRow) => string;
  readonly value: (row: PanelCostRow) => number | string | null;
}

const ownColumns: readonly Column[] = [
  { title: "Line", isNumber: true, cell: ({ label }) => escapeHtml(label), value: ({ line }) => line },
  number("Excess", ({ excess }) => excess),
  {
    title: "Share",
    isNumber: true,
    cell: ({ share }) =>
      share === null ? unknown : `${share === 0 ? "" : meterOf(share)}${shareText(share)}`,
    value: ({ share }) => share,
  },
  {
    title: "Access",
    isNumber: false,
    cell: ({ expression, kind }) =>
      `<code>${escapeHtml(expression)}</code> <span class="kind">${escapeHtml(kind)}</span>`,
    value: ({ expression }) => expression,
  },
  {
    title: "Cost",
    isNumber: true,
    cell: ({ cost, unit, isExact, perRequest }) =>
      cost !== null
        ? `${isExact ? "" : "≥ "}${countText(Math.round(cost))} <span class="kind">${unit}</span>`
        : perRequest !== null
          ? `<span class="kind">${escapeHtml(perRequest)} a request</span>`
          : unknown,
    value: ({ cost }) => cost,
  },
  number("Ideal", ({ ideal }) => ideal),
  number("Requests", ({ requests }) => requests),
];

/** The excess that a report has of the access's line, to be read beside the predicted one; all of it in the tooltip. */
const measuredColumn: Column = {
  title: "Measured",
  isNumber: true,
  cell: ({ measured }) =>
    measured === null
      ? unknown
      : `<span title="${escapeHtml(measured.text)}">${countText(excessOf(measured))}${measured.isStale ? ' <span class="kind">stale</span>' : ""}</span>`,
  value: ({ measured }) => (measured === null ? null : excessOf(measured)),
};

function excessOf({ cost, ideal }: MeasuredMark): number {
  return cost - ideal;
}

/** Red from a tenth of the excess, as the marks beside the code are. */
function meterOf(share: number): string {
  return `<meter min="0" max="1" low="0.01" high="0.1" optimum="0" value="${share.toFixed(4)}"></meter> `;
}

function number(title: string, value: (row: PanelCostRow) => number | null): Column {
  const cell = (row: PanelCostRow) => {
    const known = value(row);
    return known === null ? unknown : countText(Math.round(known));
  };
  return { title, isNumber: true, cell, value };
}

const unknown = '<span class="kind">–</span>';
