// What a fix is called in menus and lists: what it changes in the user's spelling, what it gains, what it costs.
import type { DearerAccess, Fix, FixPrice, FixTitle } from "../fixes/fix.ts";
import type { Places } from "./places.ts";
import { averageText, countText, listText, operationText, plural, pluralName } from "./words.ts";

/** "Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)". */
export function fixTitle(fix: Fix, places: Places): string {
  const parts = [gainText(fix), ...priceTexts(fix)];
  const dearer = dearerText(fix.dearer, places);
  return `${changeText(fix.title)}: ${parts.join(", ")}${dearer === null ? "" : `, but ${dearer}`} (${checkText(fix)})`;
}

function checkText({ check }: Fix): string {
  return check.cost === "counted" ? "output and total cost checked on made-up data" : "output checked";
}

/** "Pad tile to [32][33]": without what it gains. */
function changeText(title: FixTitle): string {
  switch (title.kind) {
    case "pad":
      return `Pad ${title.array} to ${title.dimensions.map((dimension) => `[${dimension}]`).join("")}`;
    case "pad-pitch":
      return `Pad the rows of ${title.array}: pitch ${title.pitch.before} → ${title.pitch.after}`;
    case "pad-pitches":
      return `Pad the rows of ${listText(title.arrays)}`;
    case "pad-parameter":
      return `Pad ${title.array}: ${title.parameter} ${title.value.before} → ${title.value.after}`;
    case "transpose":
      return `Transpose ${title.array} to ${title.dimensions.map((dimension) => `[${dimension}]`).join("")}`;
    case "swizzle":
      return `Swizzle columns of ${title.array} with ^`;
    case "swizzle-index":
      return `Swizzle indices of ${listText(title.arrays)} with ^`;
    case "spread":
      return `Insert one padding element after every ${title.period} in ${title.array}`;
    case "vectorize": {
      const verb = title.operation === "load" ? "Load" : "Store";
      const elements = `${title.elementCount} ${pluralName(title.element)}`;
      return `${verb} ${elements} of ${title.array} as one ${title.vector}`;
    }
    case "pad-record":
      return `Pad ${title.record} by ${title.bytes} bytes`;
    case "align":
      return `Align ${title.record} to ${title.bytes} bytes`;
    case "launch-shape":
      return `Launch with block (${title.block.join(",")})`;
    case "swap-axes":
      return title.withLaunch
        ? `Swap x and ${title.axes[1]} in the kernel and at its launch`
        : `Swap threadIdx.x and threadIdx.${title.axes[1]}`;
    case "stripe":
      return `Let neighbouring threads take neighbouring elements of ${title.array}`;
    case "stage-tile": {
      const accesses = { load: "loads of", store: "stores to", access: "accesses to" }[title.operation];
      const size = title.dimensions.map((dimension) => `[${dimension}]`).join("");
      return `Stage the ${accesses} ${title.array} through a shared ${title.tile}${size}`;
    }
    case "scalarize": {
      const verb = title.operation === "load" ? "Load" : "Store";
      return `${verb} ${title.elementCount} ${pluralName(title.element)} of ${title.array} one by one`;
    }
  }
}

/** "32 → 1 wavefronts"; where the access itself costs what it did, the totals: "64 → 16 sectors in all"; "aligned" where it faulted. */
function gainText({ gain: { unit, perRequest, totals } }: Fix): string {
  if (perRequest === null) return "aligned";
  if (perRequest.before > perRequest.after || totals === null)
    return `${arrowText(perRequest.before, perRequest.after)} ${unit}`;
  return `${countText(totals.before)} → ${countText(totals.after)} ${unit} in all`;
}

function arrowText(before: number, after: number): string {
  return `${averageText(before)} → ${averageText(after)}`;
}

/** "+128 B", "no memory", "8 → 7 blocks per SM". That none is needed is said of other layouts, which are known to cost memory. */
function priceTexts({ kind, price }: Fix): string[] {
  const { sharedBytes, blocksPerSm } = price;
  const memory = sharedBytes !== 0 ? [memoryText(sharedBytes)] : layoutKinds.has(kind) ? ["no memory"] : [];
  const blocks =
    blocksPerSm === null
      ? []
      : [`${countText(blocksPerSm.before)} → ${plural(blocksPerSm.after, "block")} per SM`];
  return [...memory, ...blocks];
}

const layoutKinds: ReadonlySet<Fix["kind"]> = new Set(["pad", "swizzle", "transpose"]);

function memoryText(sharedBytes: FixPrice["sharedBytes"]): string {
  return `${sharedBytes > 0 ? "+" : "−"}${countText(Math.abs(sharedBytes))} B`;
}

/** "lines 100-103 load 1 → 4 wavefronts": what gets dearer, as far as it shows. */
function dearerText(all: readonly DearerAccess[], places: Places): string | null {
  const dearer = all.filter(
    ({ perRequest: { before, after } }) => averageText(before) !== averageText(after),
  );
  const [first] = dearer;
  if (first === undefined) return null;
  const alike = dearer.filter((each) => isAlike(each, first));
  const lines = [...new Set(alike.map(({ range }) => places.startOf(range).line))].sort((a, b) => a - b);
  const verb = first.operation === "other" ? "access" : operationText(first.operation);
  const { before, after } = first.perRequest;
  const rest = dearer.length > alike.length ? " and others more" : "";
  return `${linesText(lines)} ${verb}${lines.length === 1 ? "s" : ""} ${arrowText(before, after)} ${first.unit}${rest}`;
}

function isAlike(a: DearerAccess, b: DearerAccess): boolean {
  return (
    a.operation === b.operation &&
    a.unit === b.unit &&
    a.perRequest.before === b.perRequest.before &&
    a.perRequest.after === b.perRequest.after
  );
}

/** "line 9", "lines 100-103", "lines 4, 9". */
function linesText(lines: readonly number[]): string {
  const [first = 0] = lines;
  const last = lines.at(-1) ?? first;
  if (lines.length === 1) return `line ${first}`;
  return last - first + 1 === lines.length ? `lines ${first}-${last}` : `lines ${lines.join(", ")}`;
}
