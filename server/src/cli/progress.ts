// How far a run has come, as a bar on a terminal; nothing where nobody watches.
import { type Options, Presets, SingleBar } from "cli-progress";
import { countText, plural } from "../render/words.ts";
import type { Progress } from "./parts-run.ts";

export interface ProgressBar {
  show(progress: Progress): void;
  /** Runs what writes to the terminal, with the bar out of its way. */
  around(write: () => void): void;
  end(): void;
}

export const noBar: ProgressBar = { show: () => {}, around: (write) => write(), end: () => {} };

/** A bar on standard error. */
export function progressBar(stream: NodeJS.WriteStream): ProgressBar {
  let last: Progress | null = null;
  const format: Options["format"] = (options, { progress, eta }, _) => {
    const { files = 0, allFiles = 0, kernels = 0, findings = 0 } = last ?? {};
    const done = Math.round(progress * 24);
    const complete = (options.barCompleteString ?? "").slice(0, done);
    const rest = (options.barIncompleteString ?? "").slice(0, 24 - done);
    const left = files === 0 || !Number.isFinite(eta) ? "" : ` · ${timeText(Number(eta))} left`;
    return `${complete}${rest} ${countText(files)} of ${plural(allFiles, "file")} · ${plural(kernels, "kernel")} · ${plural(findings, "finding")}${left}`;
  };
  const bar = new SingleBar(
    { format, stream, clearOnComplete: true, hideCursor: false, fps: 4, etaBuffer: 20, forceRedraw: true },
    Presets.shades_classic,
  );
  return {
    show: (progress) => {
      const isFirst = last === null;
      last = progress;
      if (isFirst) bar.start(progress.allFiles, progress.files);
      bar.update(progress.files);
    },
    around: (write) => {
      if (last !== null) clearLine(stream);
      write();
      if (last !== null) bar.render();
    },
    end: () => {
      if (last !== null) bar.stop();
      last = null;
    },
  };
}

function clearLine(stream: NodeJS.WriteStream): void {
  stream.cursorTo(0);
  stream.clearLine(0);
}

/** "40 s", "3 min". */
function timeText(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
