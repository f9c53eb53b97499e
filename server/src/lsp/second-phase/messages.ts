// What passes between the server and the thread, or process, that searches for fixes.
import type { FixSearchResult } from "../../fixes/fix.ts";
import type { Snapshot } from "./snapshot.ts";

export type ToThread =
  /** To be answered by one `found` for each of `wanted`, as far as the thread sees the same findings, and `ended`. */
  | {
      readonly kind: "search";
      readonly id: number;
      readonly snapshot: Snapshot;
      readonly wanted: readonly WantedKernel[];
    }
  | { readonly kind: "stop"; readonly id: number }
  /** To make way for the editor, for a moment. */
  | { readonly kind: "make-way" };

/** `key` is that of the search: it tells what is meant from what a thread may see otherwise. */
export interface WantedKernel {
  readonly kernel: string;
  readonly key: string;
}

export type FromThread =
  | (WantedKernel & { readonly kind: "found"; readonly id: number; readonly found: FixSearchResult })
  | { readonly kind: "ended"; readonly id: number }
  | { readonly kind: "failed"; readonly what: string; readonly detail: string };
