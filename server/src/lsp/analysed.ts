// warplint/analysed: what is known of documents has changed, and the extension's panel, tree and status ask again.
import type { ServerContext } from "./context.ts";
import { notificationNames } from "./protocol.ts";

/** Says nothing to clients without the extension, which would not know the notification. */
export function notifyAnalysed(
  paths: readonly string[],
  { connection, documents, features }: Pick<ServerContext, "connection" | "documents" | "features">,
): void {
  if (!features.commandLinks) return;
  for (const path of paths)
    void connection.sendNotification(notificationNames.analysed, {
      uri: documents.uriOf(path),
      version: documents.documentOf(path)?.version ?? null,
    });
}
