// Show Effective Configuration: a read-only document that says what holds for a file and where it comes from.
import { Disposable, EventEmitter, type Uri, Uri as UriValue, window, workspace } from "vscode";
import type { Server } from "./server.ts";

const scheme = "warplint-configuration";

export interface ConfigurationView extends Disposable {
  /** For a document, or for the first folder where there is none. */
  readonly show: (uri: Uri | undefined) => Promise<void>;
}

export function registerConfigurationView(server: Server): ConfigurationView {
  const changed = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: async ({ query }) => {
      const result = await server.request("effectiveConfiguration", { uri: query });
      return (
        result?.text ?? "// The server does not answer: see the output channel (warplint: Show Output).\n"
      );
    },
  });
  return {
    show: async (uri) => {
      const of = uri?.scheme === scheme ? UriValue.parse(uri.query) : uri;
      const target = of ?? workspace.workspaceFolders?.[0]?.uri;
      if (target === undefined) return;
      const view = UriValue.from({ scheme, path: "/effective warplint.jsonc", query: target.toString() });
      // What was shown before may have been overtaken by a change of the configuration.
      changed.fire(view);
      await window.showTextDocument(await workspace.openTextDocument(view), { preview: true });
    },
    dispose: () => Disposable.from(provider, changed).dispose(),
  };
}
