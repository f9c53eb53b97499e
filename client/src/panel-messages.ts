// What the extension and the panel's page say to each other: plain data.
import type { PanelChoice, PanelLane } from "../../server/src/render/content.ts";

/** What the page keeps, to be shown again after a restart of the window. */
export interface KeptPanel {
  readonly uri: string;
  readonly position: { readonly line: number; readonly character: number };
  readonly choice: PanelChoice;
}

export interface ToPanel {
  /** Made by `render`, all text escaped; null where there is nothing to show. */
  readonly html: string | null;
  readonly lanes: readonly PanelLane[];
  readonly kept: KeptPanel | null;
}

export type FromPanel =
  /** The page listens. */
  | { readonly kind: "ready" }
  /** Something was picked from a list. */
  | { readonly kind: "pick"; readonly name: keyof PanelChoice; readonly id: string }
  /** Go to the access in the code. */
  | { readonly kind: "reveal" }
  /** Go to the access of a row of the table, and show it. */
  | { readonly kind: "reveal-row"; readonly row: number };
