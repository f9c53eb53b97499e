// Answers in a large workspace do not wait until all its sources are known: they are read in the background, and whoever asked is told to ask again.
import type { ServerContext } from "./context.ts";
import type { Folder } from "./folders.ts";
import { inSlices } from "./scheduler.ts";

/** `onSettled` is called once more may be known of the files of a folder. */
export function settleInBackground(
  { analyses, folders, scheduler, log }: Pick<ServerContext, "analyses" | "folders" | "scheduler" | "log">,
  onSettled: () => void,
): void {
  const running = new Set<Folder["session"]>();
  const settle = async (folder: Folder): Promise<void> => {
    const { session } = folder;
    if (!session.isProvisional || running.has(session)) return;
    running.add(session);
    const isGone = () =>
      ![folders.of(folder.path ?? "/").session, ...folders.all().map((each) => each.session)].includes(
        session,
      );
    try {
      const steps = session.settle();
      const isDone = await inSlices(scheduler, "background", asDone(steps), isGone);
      if (isDone !== null) onSettled();
    } finally {
      running.delete(session);
    }
  };
  analyses.onAnalysed(({ file }) => {
    settle(folders.of(file)).catch((error: unknown) =>
      log.failed("reading the sources of the workspace", error),
    );
  });
}

function* asDone(steps: Generator<void, void>): Generator<void, "done"> {
  yield* steps;
  return "done";
}
