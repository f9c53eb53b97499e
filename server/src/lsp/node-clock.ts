// Time and turns of the event loop in Node.
import type { Clock } from "./scheduler.ts";

export const nodeClock: Clock = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
