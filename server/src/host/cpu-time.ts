// What this process has worked, of all its threads.

/**
 * Milliseconds of CPU that this process has taken, of all its threads. It may be asked between any two steps: the system is asked anew once
 * `restMilliseconds` of the wall have gone by, since on some machines a question to it takes longer than a step.
 */
export function workedMilliseconds(): number {
  const now = performance.now();
  if (now - askedAt >= restMilliseconds) {
    const { user, system } = process.cpuUsage();
    worked = (user + system) / 1000;
    askedAt = now;
  }
  return worked;
}

const restMilliseconds = 5;

let askedAt = Number.NEGATIVE_INFINITY;
let worked = 0;
