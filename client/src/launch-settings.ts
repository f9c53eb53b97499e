// Launches in the settings: for kernels whose launch is in no source.
import { ConfigurationTarget, type Uri, workspace } from "vscode";

/** Beside those that are there: in the workspace's settings, or the user's where no folder is open. */
export async function keepLaunches(uri: Uri, launches: Readonly<Record<string, unknown>>): Promise<void> {
  const configuration = workspace.getConfiguration("warplint", uri);
  const isWorkspace = workspace.workspaceFolders !== undefined;
  const values = configuration.inspect<Record<string, unknown>>("launches");
  const before = isWorkspace ? values?.workspaceValue : values?.globalValue;
  await configuration.update(
    "launches",
    { ...before, ...launches },
    isWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global,
  );
}
