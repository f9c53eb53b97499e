// Where the text of a launch says how many bytes of dynamic shared memory it gives.

import type { LaunchedKernel } from "../fix.ts";
import { callAt } from "./calls.ts";
import { type Span, spelled, type TypedText, type TypedTexts, tokenFrom } from "./typed-text.ts";

export interface LaunchedBytes {
  readonly typed: TypedText;
  /** In this launch, and in all of its file that read the same: a launch to warm up and those that are timed are known as one. */
  readonly spans: readonly Span[];
}

/** The third argument between `<<<` and `>>>`; null where it is not written there. */
export function launchedBytes({ kernel, launch }: LaunchedKernel, texts: TypedTexts): LaunchedBytes | null {
  const [site] = launch.origin.path;
  const typed = site === undefined ? null : texts(site.file);
  if (site === undefined || typed === null) return null;
  const own = callAt(typed, tokenFrom(typed, site.start))?.configuration[2];
  if (own === undefined) return null;
  const others = (typed.byName.get(kernel.name) ?? []).flatMap(
    (index) => callAt(typed, index)?.configuration[2] ?? [],
  );
  const alike = others.filter(
    (span) => span.first !== own.first && spelled(typed, span) === spelled(typed, own),
  );
  return { typed, spans: [own, ...alike] };
}
