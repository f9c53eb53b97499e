// The panel's page: nothing is loaded but the extension's own script and style, and nothing inline runs.
import { Uri, type Webview } from "vscode";

export function panelPage(webview: Webview, extensionUri: Uri): string {
  const file = (name: string) => webview.asWebviewUri(Uri.joinPath(extensionUri, "client", "dist", name));
  const nonce = newNonce();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file("panel.css")}">
<title>Bank map</title>
</head>
<body>
<main id="content"><p class="hint">Put the cursor on a shared or global access.</p></main>
<section id="lanes" hidden>
<div id="lane-list" role="listbox" aria-label="Lanes of the warp" aria-orientation="horizontal"></div>
<div id="lane-values" aria-live="polite"></div>
</section>
<script nonce="${nonce}" src="${file("panel.js")}"></script>
</body>
</html>`;
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
