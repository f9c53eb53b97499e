// What is done when nobody waits.
import { afterEach, expect, it, vi } from "vitest";
import { worthCollectingBytes, youngBytes, youngCollector } from "../../server/src/lsp/node-memory.ts";
import { onceQuiet } from "../../server/src/lsp/quiet.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("what waits for quiet is done once, a moment behind the last call", () => {
  vi.useFakeTimers();
  const act = vi.fn();
  const call = onceQuiet(act);
  for (let times = 0; times < 5; times++) {
    call();
    vi.advanceTimersByTime(3);
  }
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(act).toHaveBeenCalledTimes(1);
});

it("young memory is collected where there is enough of it", () => {
  const collect = youngCollector();
  // V8 may collect by itself meanwhile: what is kept makes it give young memory more room, until enough stands there.
  const kept: object[][] = [];
  while (youngBytes() < 2 * worthCollectingBytes && kept.length < 50_000)
    kept.push(Array.from({ length: 100 }, (_, index) => ({ index })));
  const filled = youngBytes();
  kept.length = 0;
  expect(filled).toBeGreaterThan(worthCollectingBytes);
  collect();
  expect(youngBytes()).toBeLessThan(worthCollectingBytes);
});
