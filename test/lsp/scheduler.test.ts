// Work in slices makes way for an editor that is asked for something, and ends all the same.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createScheduler, type Lane, type Scheduler } from "../../server/src/lsp/scheduler.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const sliceMilliseconds = 4;

/** Runs so many slices of work, and tells what becomes of it. */
function running(lane: Lane, wantedSlices: number, scheduler: Scheduler, onSlice: () => void = () => {}) {
  const state = { slices: 0, isDone: false, endedAt: Number.NaN };
  const advance = (): boolean => {
    vi.setSystemTime(Date.now() + sliceMilliseconds);
    state.slices++;
    onSlice();
    return state.slices === wantedSlices;
  };
  void scheduler.run(lane, { isAbandoned: () => false, advance }).then((isDone) => {
    state.isDone = isDone;
    state.endedAt = Date.now();
  });
  return state;
}

const newScheduler = () =>
  createScheduler({ now: Date.now, worked: Date.now, pause: () => Promise.resolve() });

it.each<Lane>(["second phase", "background"])(
  "no slice of the %s begins for a moment, and then all do",
  async (lane) => {
    const scheduler = newScheduler();
    scheduler.makeWay();
    const work = running(lane, 10, scheduler);
    await vi.advanceTimersByTimeAsync(99);
    expect(work.slices).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([work.slices, work.isDone]).toEqual([10, true]);
  },
);

it("what somebody waits for goes on meanwhile, also where other work has made way already", async () => {
  const scheduler = newScheduler();
  scheduler.makeWay();
  const search = running("second phase", 10, scheduler);
  await vi.advanceTimersByTimeAsync(10);
  const analysis = running("foreground", 10, scheduler);
  await vi.advanceTimersByTimeAsync(0);
  expect([analysis.isDone, search.slices]).toEqual([true, 0]);
});

it("work ends however often an editor asks: a third of the time is for it", async () => {
  const scheduler = newScheduler();
  const slices = 300;
  const work = running("second phase", slices, scheduler, scheduler.makeWay);
  const start = Date.now();
  const asking = setInterval(scheduler.makeWay, 1);
  await vi.advanceTimersByTimeAsync(20 * slices * sliceMilliseconds);
  clearInterval(asking);
  expect(work.isDone).toBe(true);
  expect(work.endedAt - start).toBeGreaterThan(2.5 * slices * sliceMilliseconds);
  expect(work.endedAt - start).toBeLessThan(3.5 * slices * sliceMilliseconds);
});
