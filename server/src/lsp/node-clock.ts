// Time and turns of the event loop in Node.
import { workedMilliseconds } from "../host/cpu-time.ts";
import type { Clock } from "./scheduler.ts";

export const nodeClock: Clock = {
  now: () => performance.now(),
  worked: workedMilliseconds,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
