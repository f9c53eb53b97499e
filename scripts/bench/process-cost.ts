// What a process and those that it has started have cost so far, as Linux tells.
import { readFileSync } from "node:fs";

export interface Cost {
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Of the server's process, and of those that it has started, so far. */
export function costOf(pid: number): Cost {
  const [ticks, ...ofOthers] = [pid, ...startedBy(pid)].map(ticksOf);
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return {
    cpuSeconds:
      ((ticks?.ended ?? 0) + [ticks, ...ofOthers].reduce((sum, each) => sum + (each?.own ?? 0), 0)) /
      ticksPerSecond,
    megabytes: Number(peak) / 1024,
  };
}

/** Of a process, and of those that it has started which have ended. */
function ticksOf(pid: number): { readonly own: number; readonly ended: number } {
  const fields = procOf(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  const at = (index: number) => Number(fields[index] ?? 0);
  return { own: at(11) + at(12), ended: at(13) + at(14) };
}

function startedBy(pid: number): readonly number[] {
  return procOf(pid, `task/${pid}/children`)
    .split(" ")
    .filter((each) => each.trim() !== "")
    .map(Number);
}

/** What the server and the processes that it has started have now, together. */
export function megabytesNow(pid: number): number {
  return [pid, ...startedBy(pid)].reduce(
    (sum, each) => sum + Number(/VmRSS:\s+(\d+)/.exec(procOf(each, "status"))?.[1] ?? 0) / 1024,
    0,
  );
}

/** Nothing of a process that has ended. */
function procOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

const ticksPerSecond = 100;
