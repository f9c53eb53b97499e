// Memory cost: kernels and their accesses in a view of their own, ranked by what they cost over all launches.
import {
  commands,
  Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from "vscode";
import {
  type AccessCostItem,
  clientCommands,
  type KernelCostItem,
  type MemoryCostResult,
  type RangeArgument,
} from "../../server/src/lsp/protocol.ts";
import { countText, shareText } from "../../server/src/render/words.ts";
import { debounce } from "./debounce.ts";
import type { Server } from "./server.ts";

export type CostScope = "file" | "workspace";

export interface CostTree extends Disposable {
  readonly setScope: (scope: CostScope) => void;
  readonly refresh: () => void;
}

type Node =
  | { readonly kind: "kernel"; readonly item: KernelCostItem; readonly isFirst: boolean }
  | { readonly kind: "access"; readonly item: AccessCostItem; readonly kernel: KernelCostItem };

const viewId = "warplint.memoryCost";
/** After the last change. */
const restMs = 400;

export function registerCostTree(server: Server): CostTree {
  let scope: CostScope = "file";
  const changed = new EventEmitter<undefined>();
  const provider: TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: treeItemOf,
    getChildren: async (node) => {
      if (node !== undefined)
        return node.kind === "access"
          ? []
          : node.item.accesses.map((item): Node => ({ kind: "access", item, kernel: node.item }));
      const result = await costOf(scope, server);
      view.description = scope === "file" ? "this file" : scopeText(result);
      return (result?.kernels ?? []).map((item, index) => ({ kind: "kernel", item, isFirst: index === 0 }));
    },
  };
  const view = window.createTreeView(viewId, { treeDataProvider: provider, showCollapseAll: true });
  const refresh = debounce(restMs, () => {
    if (view.visible) changed.fire(undefined);
  });
  const setScope = (next: CostScope) => {
    scope = next;
    void commands.executeCommand("setContext", "warplint.costScope", next);
    changed.fire(undefined);
  };
  setScope(scope);
  const listeners = Disposable.from(
    view,
    changed,
    refresh,
    server.onAnalysed(() => refresh()),
    server.onStateChanged(() => refresh()),
    window.onDidChangeActiveTextEditor(() => {
      if (scope === "file") refresh();
    }),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) changed.fire(undefined);
    }),
  );
  return { setScope, refresh: () => changed.fire(undefined), dispose: () => listeners.dispose() };
}

async function costOf(scope: CostScope, server: Server): Promise<MemoryCostResult | null> {
  if (server.state() === "stopped") return null;
  const uri = window.activeTextEditor?.document.uri;
  if (scope === "file")
    return uri === undefined ? null : server.request("memoryCost", { uri: uri.toString() });
  return server.request("memoryCost", { uri: null });
}

function scopeText(result: MemoryCostResult | null): string {
  return result?.isWorkspaceLinted === true ? "workspace" : "open files";
}

function treeItemOf(node: Node): TreeItem {
  return node.kind === "kernel" ? kernelItem(node.item, node.isFirst) : accessItem(node.item);
}

function kernelItem(kernel: KernelCostItem, isFirst: boolean): TreeItem {
  const state = isFirst ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(kernel.kernel, state);
  item.iconPath = new ThemeIcon("symbol-method");
  item.description = `${excessText(kernel)} · ${kernel.launches}`;
  item.tooltip = tooltipOf([
    `Kernel ${kernel.kernel}`,
    kernel.totals,
    kernel.launches,
    placeText(kernel.location),
  ]);
  item.command = openCommand(kernel.location);
  item.contextValue = "kernel";
  return item;
}

function accessItem(access: AccessCostItem): TreeItem {
  const {
    expression,
    space,
    operation,
    excess,
    share,
    requests,
    cost,
    ideal,
    perRequest,
    location,
    measured,
  } = access;
  // What a narrow view cuts off comes last.
  const line = `line ${location.range.start.line + 1}`;
  const item = new TreeItem(share === null || share === 0 ? line : `${shareText(share)} · ${line}`);
  item.description = `${expression} · ${excessText(access)}${measuredText(measured)} · ${space} ${operation}`;
  item.iconPath = iconOf(access);
  item.tooltip = tooltipOf([
    expression,
    `${space} ${operation}${perRequest === null ? "" : `: ${perRequest} a request`}`,
    ...(requests === null ? [] : [`${countText(requests)} requests`]),
    ...(cost === null || ideal === null
      ? []
      : [
          `${countText(Math.round(cost))} ${unitOf(space)}, ${countText(Math.round(ideal))} ideal in all launches`,
        ]),
    ...(excess === null ? [] : [excessText(access)]),
    ...(measured === null ? [] : [measured.text]),
    placeText(location),
  ]);
  item.command = openCommand(location);
  item.contextValue = "access";
  return item;
}

/** The excess: " · measured 4,096", " · measured 4,096 (stale)". */
function measuredText(measured: AccessCostItem["measured"]): string {
  if (measured === null) return "";
  return ` · measured ${countText(measured.cost - measured.ideal)}${measured.isStale ? " (stale)" : ""}`;
}

function unitOf(space: AccessCostItem["space"]): string {
  return space === "shared" ? "wavefronts" : "sectors";
}

/** "1,015,808 excess", "at least 12 excess", "ideal", "cost unknown". */
function excessText({ excess, isExact }: Pick<KernelCostItem, "excess" | "isExact">): string {
  if (excess === null) return "total unknown";
  if (excess === 0) return isExact ? "ideal" : "no excess known";
  return `${isExact ? "" : "at least "}${countText(Math.round(excess))} excess`;
}

function iconOf({ excess, share }: AccessCostItem): ThemeIcon {
  if (excess === null) return new ThemeIcon("question");
  if (excess === 0) return new ThemeIcon("pass", new ThemeColor("charts.green"));
  const colour =
    (share ?? 0) >= 0.1 ? "charts.red" : (share ?? 0) >= 0.01 ? "charts.orange" : "charts.yellow";
  return new ThemeIcon("flame", new ThemeColor(colour));
}

/** Plain text: nothing of a source is read as markup. */
function tooltipOf(lines: readonly string[]): MarkdownString {
  const text = new MarkdownString();
  for (const line of lines) text.appendText(`${line}\n`);
  return text;
}

function placeText({ uri, range }: AccessCostItem["location"]): string {
  const path = Uri.parse(uri).path;
  return `${path.slice(path.lastIndexOf("/") + 1)}:${range.start.line + 1}`;
}

function openCommand({ uri, range }: AccessCostItem["location"]): NonNullable<TreeItem["command"]> {
  const argument: RangeArgument = { uri, range };
  return { title: "Show in the code", command: clientCommands.openPlace, arguments: [argument] };
}
