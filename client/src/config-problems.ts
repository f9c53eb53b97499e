// What is wrong with a warplint.json is said once: while it is open, VS Code's own JSON support checks it against the schema that this extension
// contributes; of one that is not open, the server says it.
import { type Diagnostic, Disposable, extensions, type TextDocument, type Uri, workspace } from "vscode";
import type { HandleDiagnosticsSignature } from "vscode-languageclient";
import type { ConfigProblemData } from "../../server/src/lsp/protocol.ts";

export interface ConfigProblems extends Disposable {
  /** For the client's middleware. */
  readonly handle: (uri: Uri, diagnostics: readonly Diagnostic[], next: HandleDiagnosticsSignature) => void;
}

export function createConfigProblems(): ConfigProblems {
  const known = new Map<string, () => void>();
  const showAgain = ({ uri }: TextDocument) => known.get(uri.toString())?.();
  const handle: ConfigProblems["handle"] = (uri, diagnostics, next) => {
    const key = uri.toString();
    const show = () => next(uri, isCheckedByEditor(key) ? diagnostics.filter(isOurs) : [...diagnostics]);
    if (diagnostics.some((each) => !isOurs(each))) known.set(key, show);
    else known.delete(key);
    show();
  };
  return Object.assign(
    Disposable.from(workspace.onDidOpenTextDocument(showAgain), workspace.onDidCloseTextDocument(showAgain)),
    { handle },
  );
}

function isCheckedByEditor(uri: string): boolean {
  return (
    extensions.getExtension("vscode.json-language-features") !== undefined &&
    workspace.textDocuments.some(
      (document) => document.uri.toString() === uri && document.languageId.startsWith("json"),
    )
  );
}

/** Whether nobody but the server finds it. */
function isOurs(diagnostic: Diagnostic & { readonly data?: ConfigProblemData }): boolean {
  return diagnostic.data?.isOfSchema !== true;
}
