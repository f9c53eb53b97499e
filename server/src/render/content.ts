// What people read in a hover and in the bank map's panel, as plain data. `ide` makes it, this folder draws it.
import type { RequestMap } from "./bank-map.ts";

/** A place in a file, in offsets of UTF-16 units. */
export interface PlaceLink {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What a click is to do. Whoever draws it turns it into a command, an address, or leaves the link out. */
export type ContentCommand =
  | { readonly kind: "show-map"; readonly file: string; readonly offset: number }
  | {
      readonly kind: "choose-launch";
      readonly file: string;
      readonly kernel: string;
      readonly offset: number;
    }
  /** On a finding that has fixes. */
  | { readonly kind: "pick-fix"; readonly file: string; readonly offset: number }
  | { readonly kind: "open-rule"; readonly rule: string }
  | { readonly kind: "open-place"; readonly place: PlaceLink };

export interface ContentLink {
  readonly title: string;
  readonly command: ContentCommand;
}

/** A run of text: the user's own spelling is `code`. */
export interface Span {
  readonly kind: "plain" | "code" | "strong";
  readonly text: string;
}

export type HoverBlock =
  /** One line. */
  | { readonly kind: "line"; readonly spans: readonly Span[] }
  | { readonly kind: "map"; readonly map: RequestMap }
  /** Rows have as many cells as `head`; all are plain text. */
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Lines set in a fixed pitch, as they are. */
  | { readonly kind: "columns"; readonly lines: readonly string[] }
  /** From the launch outwards; each a place. */
  | { readonly kind: "path"; readonly links: readonly ContentLink[] }
  | { readonly kind: "links"; readonly links: readonly ContentLink[] };

export interface HoverContent {
  /** What the hover is about, in offsets of the file. */
  readonly range: { readonly start: number; readonly end: number };
  readonly blocks: readonly HoverBlock[];
}

/** The panel beside the code: one access under one launch, in full. */
export interface PanelState {
  /** Where the access stands: to show it, and to ask again. */
  readonly place: PlaceLink;
  /** The access as the user wrote it. */
  readonly expression: string;
  /** "shared load, 4 B a lane". */
  readonly kind: string;
  readonly kernel: string;
  readonly choice: PanelChoice;
  /** What there is to pick from; a picker with one option need not be drawn. */
  readonly operations: readonly PanelOption[];
  readonly launches: readonly PanelOption[];
  readonly warps: readonly PanelOption[];
  readonly trips: readonly PanelOption[];
  /** "32 wavefronts, 1 ideal (32.0×)"; the reason where no figure is known. */
  readonly headline: string;
  /** Condition, assumptions, totals: one line each. */
  readonly notes: readonly string[];
  /** All accesses of the kernel over all its launches; null where there is no kernel or it has none. */
  readonly cost: PanelCost | null;
  /** All rows, not only those that fit a hover; null where no picture can be drawn. */
  readonly map: RequestMap | null;
  /** The same access with the best of its fixes; null where none is ready, or the fix leaves no such access. */
  readonly after: PanelAfter | null;
  /** One for each lane; empty where addresses are not known. */
  readonly lanes: readonly PanelLane[];
}

/** The table of the panel: as Nsight Compute's source page counts, over all launches of the kernel. */
export interface PanelCost {
  readonly kernel: string;
  /** "shared: 1,048,576 wavefronts, 32,768 ideal · excess 1,015,808". */
  readonly totals: string;
  /** Greatest excess first. */
  readonly rows: readonly PanelCostRow[];
}

/** What a profiler's report has of the line of an access, over all of its launches. */
export interface MeasuredMark {
  readonly cost: number;
  readonly ideal: number;
  /** The text has been edited since. */
  readonly isStale: boolean;
  /** "report.ncu-rep: 4,096 wavefronts, 128 ideal on line 12 in 2 launches; as predicted". */
  readonly text: string;
}

export interface PanelCostRow {
  readonly place: PlaceLink;
  /** "12", "tile.cuh:12". */
  readonly label: string;
  readonly line: number;
  readonly expression: string;
  /** "shared load". */
  readonly kind: string;
  readonly unit: "wavefronts" | "sectors";
  /** Over all launches; null where they are not known, as the figures below. */
  readonly requests: number | null;
  readonly cost: number | null;
  readonly ideal: number | null;
  readonly excess: number | null;
  /** Whether all launches are in the figures. */
  readonly isExact: boolean;
  /** Of the kernel's excess, 0 to 1. */
  readonly share: number | null;
  /** "32 wavefronts, 1 ideal": the worst request; null where nothing is known. */
  readonly perRequest: string | null;
  /** Null where no report was imported, or it has nothing of the access. */
  readonly measured: MeasuredMark | null;
  /** The access that the panel shows. */
  readonly isShown: boolean;
}

export interface PanelAfter {
  /** The fix: "Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)". */
  readonly title: string;
  /** "1 wavefront, 1 ideal". */
  readonly headline: string;
  readonly map: RequestMap | null;
}

/** What was picked, by the options' ids; null: the one that costs most. */
export interface PanelChoice {
  readonly operation: string | null;
  readonly launch: string | null;
  readonly warp: string | null;
  readonly trip: string | null;
}

export interface PanelOption {
  readonly id: string;
  readonly label: string;
}

export interface PanelLane {
  readonly lane: number;
  readonly isActive: boolean;
  /** Names with values: "address" "base + 128", "bank" "0", "row" "1", then the parts of the index. Empty where inactive. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
}
