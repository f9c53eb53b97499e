// Run by VS Code's extension host. Ranges and headlines are held against the command line's, which must be the same.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

const extensionId = "warplint.warplint-vscode";
const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");

const tests: Readonly<Record<string, () => Promise<void>>> = {
  "is activated by a CUDA file": async () => {
    await open("seed1_matrix_trans.cu");
    const extension = vscode.extensions.getExtension(extensionId);
    await until("active", () => extension?.isActive === true);
  },

  "works in a workspace that is not trusted": async () => {
    equal(vscode.workspace.isTrusted, false);
  },

  "has all its commands": async () => {
    const known = await vscode.commands.getCommands(true);
    for (const name of [
      "showBankMap",
      "chooseLaunch",
      "lintWorkspace",
      "explainAccess",
      "pickFix",
      "restartServer",
      "showOutput",
      "showEffectiveConfiguration",
    ])
      ok(known.includes(`warplint.${name}`), `command warplint.${name}`);
  },

  "says what the command line says, on the same ranges": async () => {
    for (const name of readdirSync(folder.fsPath).filter((file) => file.endsWith(".cu"))) {
      const document = await open(name);
      const wanted = findingsOfCommandLine(document);
      const found = await untilEqual(() => findingsOf(document.uri), wanted);
      equal(found, wanted, name);
    }
  },

  "shows the map on hover": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const text = await hoverText(document, "subMatrix[col][row]");
    ok(text.includes("pass 1"), text);
    ok(text.includes("var(--vscode-charts-"), text);
  },

  "has a lens above each kernel": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
      20,
    );
    const lines = new Set(lenses.map(({ range }) => range.start.line));
    equal(lines.size, 3);
  },

  "ignores a finding by an action, and takes it back by undo": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const before = findingsOf(document.uri);
    const finding = diagnosticAt(document, "shared-bank-conflict");
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      finding.range,
    );
    const ignore = actions.filter(({ title }) => title.startsWith("Ignore shared-bank-conflict"));
    equal(ignore.length, 1);
    equal(actions.indexOf(ignore[0] as vscode.CodeAction), actions.length - 2);
    equal(actions.at(-1)?.title, "Disable shared-bank-conflict in this file…");
    ok(ignore[0]?.isPreferred !== true, "an ignore action must not be preferred");
    ok(ignore[0]?.edit !== undefined, "the action has its edit");
    await vscode.workspace.applyEdit(ignore[0]?.edit as vscode.WorkspaceEdit);
    await until("ignored", () => findingsOf(document.uri).length === before.length - 1);
    await vscode.commands.executeCommand("undo");
    equal(await untilEqual(() => findingsOf(document.uri), before), before);
  },

  "makes a fix by an action, and takes it back by undo": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const before = findingsOf(document.uri);
    const finding = diagnosticAt(document, "shared-bank-conflict");
    let [fix]: (vscode.CodeAction | undefined)[] = [];
    for (let attempt = 0; attempt < 100 && fix === undefined; attempt++) {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        finding.range,
      );
      fix = actions.find(({ title }) => title.endsWith("(output checked)"));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    ok(
      fix?.title.startsWith("Pad subMatrix to [blockSizeX][blockSizeY + 1]: 32 → 1") === true,
      String(fix?.title),
    );
    ok(fix?.isPreferred === true, "the best safe fix is preferred");
    await vscode.workspace.applyEdit(fix?.edit as vscode.WorkspaceEdit);
    await until("fixed", () => findingsOf(document.uri).length === before.length - 1);
    await vscode.commands.executeCommand("undo");
    equal(await untilEqual(() => findingsOf(document.uri), before), before);
  },

  "follows an edit of the text": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const before = findingsOf(document.uri);
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf("[blockSizeY];") + "[blockSizeY".length);
    edit.insert(document.uri, at, " + 1");
    await vscode.workspace.applyEdit(edit);
    await until(
      "padded: no conflict",
      () => !findingsOf(document.uri).some(({ rule }) => rule === "shared-bank-conflict"),
    );
    await vscode.commands.executeCommand("undo");
    equal(await untilEqual(() => findingsOf(document.uri), before), before);
  },

  "follows the settings": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const before = findingsOf(document.uri);
    const configuration = vscode.workspace.getConfiguration("warplint", document.uri);
    await configuration.update(
      "rules",
      { "shared-bank-conflict": "error" },
      vscode.ConfigurationTarget.Global,
    );
    await until("an error", () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
    );
    await configuration.update("rules", undefined, vscode.ConfigurationTarget.Global);
    equal(await untilEqual(() => findingsOf(document.uri), before), before);
  },

  "shows the effective configuration": async () => {
    await open("seed1_matrix_trans.cu");
    await vscode.commands.executeCommand("warplint.showEffectiveConfiguration");
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    ok(text.includes('"architecture": "sm_90"'), text);
  },

  "starts again when asked to": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const before = findingsOf(document.uri);
    await vscode.commands.executeCommand("warplint.restartServer");
    equal(await untilEqual(() => findingsOf(document.uri), before), before);
  },

  "opens the bank map beside the code": async () => {
    const document = await open("seed1_matrix_trans.cu");
    const position = positionOf(document, "subMatrix[col][row]");
    await vscode.commands.executeCommand("warplint.showBankMap", {
      uri: document.uri.toString(),
      position: { line: position.line, character: position.character },
    });
    const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map((tab) => tab.label));
    await until("the panel", () => labels().includes("Bank map"));
  },
};

export async function run(): Promise<void> {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      say(`PASS ${name}`);
    } catch (error) {
      failed += 1;
      say(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (failed > 0) throw new Error(`${failed} failed`);
}

interface FindingSummary {
  readonly rule: string;
  readonly severity: string;
  readonly range: string;
  readonly headline: string;
}

async function open(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

function findingsOf(uri: vscode.Uri): FindingSummary[] {
  const severities = ["error", "warning", "information", "hint"];
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === "warplint")
    .map(({ code, severity, range, message }) => ({
      rule: String(typeof code === "object" ? code.value : code),
      severity: severities[severity] ?? "",
      range: `${range.start.line + 1}:${range.start.character + 1}`,
      headline: headlineOf(message),
    }))
    .sort(inOrder);
}

/** What follows it hangs on how far the search for fixes is. */
function headlineOf(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

function findingsOfCommandLine(document: vscode.TextDocument): FindingSummary[] {
  const cli = join(vscode.extensions.getExtension(extensionId)?.extensionPath ?? "", "server/dist/cli.cjs");
  // It exits with 1 where there are findings.
  const { stdout } = spawnSync(
    process.execPath,
    [cli, "check", "--format=json", "--no-fixes", document.uri.fsPath],
    { encoding: "utf8", maxBuffer: 1 << 28 },
  );
  const { files } = JSON.parse(stdout) as { files: { path: string; diagnostics: Diagnostic[] }[] };
  return (files[0]?.diagnostics ?? [])
    .map(({ rule, severity, line, column, message }) => ({
      rule,
      severity,
      range: `${line}:${column}`,
      headline: headlineOf(message),
    }))
    .sort(inOrder);
}

interface Diagnostic {
  readonly rule: string;
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

function inOrder(a: FindingSummary, b: FindingSummary): number {
  return JSON.stringify(a).localeCompare(JSON.stringify(b));
}

function diagnosticAt(document: vscode.TextDocument, rule: string): vscode.Diagnostic {
  const found = vscode.languages
    .getDiagnostics(document.uri)
    .find(({ code }) => (typeof code === "object" ? code.value : code) === rule);
  if (found === undefined) throw new Error(`no ${rule}`);
  return found;
}

function positionOf(document: vscode.TextDocument, text: string): vscode.Position {
  return document.positionAt(document.getText().indexOf(text) + 1);
}

async function hoverText(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    positionOf(document, text),
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === "string" ? content : content.value))
    .join("\n");
}

async function until(what: string, isSo: () => boolean, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function untilEqual<T>(read: () => T, wanted: T, timeoutMs = 60_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  while (JSON.stringify(read()) !== JSON.stringify(wanted) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return read();
}

function equal(found: unknown, wanted: unknown, what = ""): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what} is ${a}, wanted ${b}`);
}

function ok(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}

/** The workbench hands the extension host's console to the page that runs the tests. */
function say(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the only way out of the extension host.
  console.log(line);
}
