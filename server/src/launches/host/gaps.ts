// What of the host code could not be followed, each once for each file.
import type { SourceRange } from "../../text/source.ts";

export interface HostGap {
  /** In words. */
  readonly reason: string;
  /** The file that it stands in; null where that is not known. */
  readonly file: string | null;
}

export class HostGaps {
  private readonly byKey = new Map<string, HostGap>();

  add(reason: string, range: Pick<SourceRange, "file"> | null): void {
    const file = range?.file ?? null;
    this.byKey.set(`${file}\0${reason}`, { reason, file });
  }

  addAll(gaps: Iterable<HostGap>): void {
    for (const { reason, file } of gaps) this.add(reason, file === null ? null : { file });
  }

  list(): readonly HostGap[] {
    return [...this.byKey.values()];
  }
}
