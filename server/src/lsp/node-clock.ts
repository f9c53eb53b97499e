// Time and turns of the event loop in Node.
import type { Clock } from "./scheduler.ts";

export const nodeClock: Clock = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};
