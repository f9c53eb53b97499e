// What is done when nobody waits.
import { afterEach, expect, it, vi } from "vitest";
import { worthCollectingBytes, youngBytes, youngCollector } from "../../server/src/lsp/node-memory.ts";
import { onceQuiet } from "../../server/src/lsp/quiet.ts";
import { createScheduler } from "../../server/src/lsp/scheduler.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("what waits for quiet is done once, a moment behind the last work", async () => {
  vi.useFakeTimers();
  const act = vi.fn();
  const clock = { now: () => 0, worked: () => 0, pause: () => Promise.resolve() };
  const scheduler = createScheduler(clock, onceQuiet(act));
  for (let times = 0; times < 5; times++) {
    await scheduler.run("foreground", { advance: () => true, isAbandoned: () => false });
    await vi.advanceTimersByTimeAsync(3);
  }
  expect(act).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(act).toHaveBeenCalledTimes(1);
});

it("what waits for quiet is not done while work goes on", async () => {
  vi.useFakeTimers();
  const act = vi.fn();
  let isDone = false;
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
  const scheduler = createScheduler({ now: () => 0, worked: () => 0, pause }, onceQuiet(act));
  void scheduler.run("background", { advance: () => isDone, isAbandoned: () => false });
  await vi.advanceTimersByTimeAsync(1000);
  expect(act).not.toHaveBeenCalled();
  isDone = true;
  await vi.advanceTimersByTimeAsync(1000);
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
