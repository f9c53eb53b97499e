// Which lanes, or which rows of an array, lie off the boundary of a vector access, in columns.

import type { AccessProfile } from "../evaluate/profile.ts";
import { rowOf } from "../rules/banks.ts";
import { modulo } from "./access-words.ts";

/** "lane 0 1 2 3 …" over "address mod 16: 0 4 8 12 …"; rows of the array where all lanes of a request are alike. */
export function boundaryRows(access: AccessProfile): string[] {
  const { worst, bytes, target } = access;
  if (worst === null) return [];
  const active = worst.laneAddresses.flatMap((address, lane) =>
    address === null ? [] : [{ address, lane }],
  );
  const offsets = active.map(({ address }) => modulo(address, bytes));
  if (new Set(offsets).size > 1)
    return columns(
      "lane",
      active.map(({ lane }) => lane),
      `address mod ${bytes}:`,
      offsets,
    );
  const row = rowOf(target?.type ?? null);
  if (row === null || row.bytes % bytes === 0) return [];
  const rows = Array.from({ length: mostColumns + 1 }, (_, index) => index);
  return columns(
    "row",
    rows,
    `start mod ${bytes}:`,
    rows.map((index) => modulo(index * row.bytes, bytes)),
  );
}

/** "24 of 32 lanes off the 16-byte boundary". */
export function faultText({ worst, misaligned, bytes }: AccessProfile): string {
  const active = (worst?.laneAddresses ?? []).filter((address) => address !== null).length;
  return `${misaligned?.lanes ?? 0} of ${active} lanes off the ${bytes}-byte boundary`;
}

const mostColumns = 8;

function columns(
  firstName: string,
  first: readonly number[],
  secondName: string,
  second: readonly number[],
): string[] {
  const count = Math.min(mostColumns, first.length);
  const isCut = first.length > count;
  const nameWidth = Math.max(firstName.length, secondName.length);
  const draw = (name: string, values: readonly number[], others: readonly number[]) => {
    const cells = values.slice(0, count).map((value, index) => {
      const width = Math.max(String(value).length, String(others[index] ?? "").length);
      return String(value).padStart(width);
    });
    return `${name.padEnd(nameWidth)} ${cells.join(" ")}${isCut ? " …" : ""}`;
  };
  return [draw(firstName, first, second), draw(secondName, second, first)];
}
