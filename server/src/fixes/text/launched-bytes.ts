// Where the text of a launch says how many bytes of dynamic shared memory it gives.

import type { LaunchedKernel } from "../fix.ts";
import { callAt } from "./calls.ts";
import { type Span, spelled, type TypedText, type TypedTexts, tokenFrom } from "./typed-text.ts";

export interface LaunchedBytes {
  readonly typed: TypedText;
  /**
   * In this launch, and in all of its file that read the same: a launch to warm up and those that are timed are known as one. And where the most that
   * the kernel may be given is set: a launch with more than that fails.
   */
  readonly spans: readonly Span[];
}

/** The third argument between `<<<` and `>>>`; null where it is not written there, or is held below a limit that reads otherwise. */
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
  const limits = limitsOf(typed, kernel.name, spelled(typed, own));
  return limits === null ? null : { typed, spans: [own, ...alike, ...limits] };
}

/** What `cudaFuncSetAttribute` gives as the most for the kernel, where that is made of `bytes`; null where it is made of something else. */
function limitsOf(typed: TypedText, kernelName: string, bytes: string): Span[] | null {
  const limits: Span[] = [];
  for (const index of typed.byName.get("cudaFuncSetAttribute") ?? []) {
    const parts = callAt(typed, index)?.arguments ?? [];
    const place = parts.findIndex((part) =>
      mentions(typed, part, "cudaFuncAttributeMaxDynamicSharedMemorySize"),
    );
    const limit = parts[place + 1];
    // A template's arguments have commas of their own.
    const isOfKernel = parts.slice(0, place).some((part) => mentions(typed, part, kernelName));
    if (place === -1 || limit === undefined || !isOfKernel) continue;
    if (!spelled(typed, limit).includes(bytes)) return null;
    limits.push(limit);
  }
  return limits;
}

function mentions(typed: TypedText, { first, end }: Span, name: string): boolean {
  return typed.tokens.slice(first, end).some(({ text }) => text === name);
}
