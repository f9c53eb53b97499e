// One call after things have come to rest.
import type { Disposable } from "vscode";

export interface Debounced extends Disposable {
  (): void;
}

/** Calls `run` when the result has not been called for `restMs`. */
export function debounce(restMs: number, run: () => unknown): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = () => {
    clearTimeout(timer);
    timer = setTimeout(run, restMs);
  };
  return Object.assign(call, { dispose: () => clearTimeout(timer) });
}
