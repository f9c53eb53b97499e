// What client and server say to each other beyond the Language Server Protocol: names and plain data. The client imports this file.
import type { Location, Position, ProgressToken, Range, WorkspaceEdit } from "vscode-languageserver";
import type { MeasuredMark, PanelChoice, PanelState } from "../render/content.ts";

/** Requests of the client. Each name is followed below by its parameters and its result. */
export const requestNames = {
  panelState: "warplint/panelState",
  launchChoices: "warplint/launchChoices",
  checkLaunch: "warplint/checkLaunch",
  setLaunch: "warplint/setLaunch",
  status: "warplint/status",
  effectiveConfiguration: "warplint/effectiveConfiguration",
  lintWorkspace: "warplint/lintWorkspace",
  memoryCost: "warplint/memoryCost",
  fixAll: "warplint/fixAll",
  importReport: "warplint/importReport",
} as const;

/** Notifications of the server. */
export const notificationNames = {
  /** What is known of a document has changed: panel and status of it are to be asked for again. `AnalysedParams`. */
  analysed: "warplint/analysed",
} as const;

/** Notifications of the client. */
export const clientNotificationNames = {
  /** What of a document somebody sees: its kernels come first. `InSightParams`. */
  inSight: "warplint/inSight",
} as const;

/** Requests of the server, to a client that offers `files`: what a browser has in place of a file system. */
export const fileRequestNames = {
  /** `FileParams` to `FileResult`. */
  read: "warplint/readFile",
  /** `FileParams` to `DirectoryResult`. */
  list: "warplint/listDirectory",
} as const;

/** What a client may say in `initializationOptions`; all of it may be missing. */
export interface InitializationOptions {
  /**
   * Whether the client has the commands of `clientCommands`: then lenses, actions and links in hovers name them. Other clients get
   * lenses that only say something, actions that carry their edits, and hovers without links.
   */
  readonly commandLinks?: boolean;
  /** Where the pages of rules are: an address that ends in "/", to which `RULE.md` is added. */
  readonly rulePages?: string;
  /** Whether the client answers `fileRequestNames`: the server then reads files through it alone. */
  readonly files?: "client" | "server";
  /** "restricted": nothing outside of the workspace is read, whatever files in it ask for. */
  readonly trust?: "trusted" | "restricted";
}

/** The kind of the action that makes all safe fixes: it answers to this name alone, never to a bare `source.fixAll`. */
export const fixAllKind = "source.fixAll.warplint";

/** The first message to a worker of a browser: no protocol yet. */
export interface WorkerStart {
  /** The server, or its thread that searches for fixes. */
  readonly role: "server" | "search";
  /** tree-sitter's WASM. */
  readonly runtime: Uint8Array;
  /** That of CUDA's grammar, without what repeats in it (`host/repeats.ts`). */
  readonly grammar: Uint8Array;
  readonly version: string;
}

/** Commands of the client that lenses, actions and hovers name. */
export const clientCommands = {
  /** Argument: `PlaceArgument`. */
  showBankMap: "warplint.showBankMap",
  /** Argument: `PlaceArgument`, in the definition of the kernel. */
  chooseLaunch: "warplint.chooseLaunch",
  /** Argument: `PlaceArgument`, on a finding that has fixes: to pick one. */
  pickFix: "warplint.pickFix",
  /** Argument: `RuleArgument`. */
  showRule: "warplint.showRule",
  /** Argument: `RangeArgument`. */
  openPlace: "warplint.openPlace",
} as const;

/** Commands of the server (`workspace/executeCommand`), for clients without an extension of their own. */
export const serverCommands = {
  /** Argument: `SetLaunchParams`. The server applies the edit. */
  setLaunch: "warplint.server.setLaunch",
  /** No argument. The result is a `LintWorkspaceResult`. */
  lintWorkspace: "warplint.server.lintWorkspace",
  /** Argument: `DocumentParams`. The result is an `EffectiveConfiguration`. */
  effectiveConfiguration: "warplint.server.effectiveConfiguration",
} as const;

export interface DocumentParams {
  readonly uri: string;
}

export interface PlaceArgument {
  readonly uri: string;
  readonly position: Position;
}

export interface RangeArgument {
  readonly uri: string;
  readonly range: Range;
}

export interface RuleArgument {
  readonly rule: string;
}

/** `panelState`: the bank map of the access at a place; the result is null where none is. */
export interface PanelStateParams extends PlaceArgument {
  /** What was picked; null: the request that costs most. */
  readonly choice: PanelChoice | null;
}

export interface PanelStateResult {
  readonly uri: string;
  /** Of the document that the state was made from. */
  readonly version: number | null;
  /** Where the access stands. */
  readonly range: Range;
  readonly state: PanelState;
  /** Where the accesses of the table's rows stand, in their order. */
  readonly rows: readonly Location[];
}

/** `launchChoices`: parameters are a `PlaceArgument` in a kernel; the result is null where no kernel is. */
export interface LaunchChoicesResult {
  readonly kernel: string;
  /** The kernel's name. */
  readonly range: Range;
  /** What stands in `// warplint: launch(…)` above the kernel now; null without one. */
  readonly annotation: string | null;
  readonly parameterNames: readonly string[];
  readonly choices: readonly LaunchChoiceItem[];
}

export interface LaunchChoiceItem {
  readonly label: string;
  readonly description: string;
  /** To be given to `setLaunch`. */
  readonly annotation: string;
  readonly isCurrent: boolean;
}

/** `setLaunch` (the result is a `SetLaunchResult`) and `checkLaunch` (the result is a list of sentences, empty where all is well). */
export interface SetLaunchParams extends PlaceArgument {
  /** What is to stand in `launch(…)`: "block=(256), n=1<<20". */
  readonly annotation: string;
}

/** The edit is the client's to apply; null where no kernel stands at the place. */
export interface SetLaunchResult {
  readonly edit: WorkspaceEdit | null;
  /** The same as an entry of the configuration's `launches`; null where that cannot say it. */
  readonly setting: { readonly kernel: string; readonly launch: Readonly<Record<string, unknown>> } | null;
}

/** `status`: parameters are a `PlaceArgument`; the result is null where a document holds no CUDA. */
export interface StatusResult {
  readonly uri: string;
  readonly version: number | null;
  /** The kernel around the place; null outside of kernels. */
  readonly kernel: KernelStatusItem | null;
  /** Whether anything of the document is being worked on. */
  readonly isBusy: boolean;
  /** Findings of the document. */
  readonly findings: number;
  /** What went wrong with the document or its configuration: sentences for the status item and the log. */
  readonly problems: readonly string[];
}

export interface KernelStatusItem {
  readonly kernel: string;
  /** In the kernel: for `launchChoices`. */
  readonly position: Position;
  readonly text: string;
  readonly detail: string;
  readonly isLaunchKnown: boolean;
}

/** `effectiveConfiguration`: parameters are `DocumentParams`. */
export interface EffectiveConfiguration {
  /** The nearest warplint.json; null without one. */
  readonly configFile: string | null;
  readonly workspace: string | null;
  /** JSON with comments on where it is from, as a document to show. */
  readonly text: string;
}

/** `lintWorkspace`: lints all CUDA files of all folders. */
export interface LintWorkspaceParams {
  /** With it, the server tells how far it is; without it, the client shows what it likes. */
  readonly workDoneToken?: ProgressToken;
}

export interface LintWorkspaceResult {
  readonly files: number;
  readonly findings: number;
  /** "12 files, 3 warnings". */
  readonly summary: string;
}

/** `fixAll`: of a document; of all that are open or were found to have findings by the last lint of the workspace, where `uri` is null. */
export interface FixAllParams {
  readonly uri: string | null;
  readonly workDoneToken?: ProgressToken;
}

export interface FixAllResult {
  /** The client's to apply, each change once the user has confirmed it; null where there is no safe fix. */
  readonly edit: WorkspaceEdit | null;
  readonly fixes: number;
  readonly files: number;
}

/** `memoryCost`: of the kernels of a document; of all files that were linted or are open, where `uri` is null. */
export interface MemoryCostParams {
  readonly uri: string | null;
}

export interface MemoryCostResult {
  /** By excess, greatest first. */
  readonly kernels: readonly KernelCostItem[];
  /** The accesses that stand in the document, in the order of the text; empty for a workspace. */
  readonly accesses: readonly AccessMark[];
  /** Whether files that are not open were linted. */
  readonly isWorkspaceLinted: boolean;
}

export interface KernelCostItem {
  readonly kernel: string;
  /** The kernel's name, where it is defined. */
  readonly location: Location;
  /** "2 launches: (32,8) line 108, …". */
  readonly launches: string;
  /** "shared: 1,048,576 wavefronts, 32,768 ideal · excess 1,015,808". */
  readonly totals: string;
  /** Wavefronts and sectors beyond the ideal over all launches; null where they are not known. */
  readonly excess: number | null;
  readonly isExact: boolean;
  readonly accesses: readonly AccessCostItem[];
}

export interface AccessCostItem {
  readonly location: Location;
  readonly expression: string;
  readonly space: "shared" | "global";
  /** "load". */
  readonly operation: string;
  readonly requests: number | null;
  readonly cost: number | null;
  readonly ideal: number | null;
  readonly excess: number | null;
  readonly isExact: boolean;
  /** Of the kernel's excess, 0 to 1. */
  readonly share: number | null;
  /** "32 wavefronts, 1 ideal": the worst request; null where nothing is known. */
  readonly perRequest: string | null;
  /** Null where no report was imported, or it has nothing of the access. */
  readonly measured: MeasuredMark | null;
}

/** `importReport`: a report of Nsight Compute to show beside what is predicted, in place of the last. */
export interface ImportReportParams {
  /** Of the file. */
  readonly name: string;
  /** Null: no report any more. */
  readonly base64: string | null;
}

export interface ImportReportResult {
  readonly isRead: boolean;
  /** For the user: what was found, or why it was not read. */
  readonly message: string;
  /** Of kernels of open documents that nothing in sight launches: entries for the configuration's `launches`. */
  readonly launches: Readonly<Record<string, readonly unknown[]>>;
}

/** One access, or several of one place: for marks in the editor. */
export interface AccessMark {
  readonly range: Range;
  /** Of the document's excess, 0 to 1; null without. */
  readonly share: number | null;
  /** "shared load: 32 wavefronts, 1 ideal a request; 1,015,808 excess wavefronts". */
  readonly text: string;
}

/** `data` of a diagnostic on a configuration. */
export interface ConfigProblemData {
  /** Whether an editor finds it as well that checks the file against its JSON schema. */
  readonly isOfSchema: boolean;
}

export interface InSightParams {
  readonly uri: string;
  /** Whole lines; empty where the document is not shown any more. */
  readonly ranges: readonly Range[];
}

export interface AnalysedParams {
  readonly uri: string;
  readonly version: number | null;
}

export interface FileParams {
  readonly uri: string;
}

/** null where there is no such file or it may not be read; `base64` are its bytes. */
export interface FileResult {
  readonly base64: string | null;
}

export interface DirectoryResult {
  readonly entries:
    | readonly { readonly name: string; readonly kind: "file" | "directory" | "other" }[]
    | null;
}
