// The tools of `warplint mcp`: what they are called, what they are given, what they answer.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { FixSearchResult } from "../fixes/fix.ts";
import type { Host } from "../host/host.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import { visible } from "../render/visible.ts";
import { type Analysed, analysed, fixesOf, InputError, type ToolContext } from "./analysed.ts";
import { analyzeText } from "./analyze-text.ts";
import { compareText } from "./compare-text.ts";
import { explainText } from "./explain-text.ts";
import { appliedFix, fixesText } from "./fixes-text.ts";
import { comparedShape, fixShape, placeShape, type SourceInput, sourceShape } from "./inputs.ts";
import { unknownTexts } from "./unknown-text.ts";

export interface McpOptions {
  readonly host: Host;
  readonly version: string;
  /** Called once, when the first tool is. */
  createPipeline(): Promise<Pipeline>;
  /** Milliseconds that the process has worked. */
  worked(): number;
  /** The path of a `file:` URI that a client names as a root. */
  pathOf(uri: string): string | null;
}

const instructions =
  "Predicts from CUDA source what Nsight Compute would count: wavefronts of shared-memory accesses (bank conflicts) and 32-byte sectors of " +
  "global-memory accesses (coalescing), each with its ideal. No GPU and no build are needed. Begin with `analyze`; `fixes` lists changes that were " +
  "analysed and run on a simulator, `apply_fix` gives the text with one made; `compare` says which of two texts costs less. " +
  "Figures hold for the launch that is named; give `launch` where the source has none.";

/** A server with all tools; it answers as soon as it is connected to a transport. */
export function createMcpServer(options: McpOptions): McpServer {
  const server = new McpServer({ name: "warplint", version: options.version }, { instructions });
  const contextOf = toolContexts(server, options);
  /** The last search for fixes: `apply_fix` follows `fixes`. */
  let last: { readonly key: string; readonly source: Analysed; readonly found: FixSearchResult } | null =
    null;

  const searched = (input: SourceInput, context: ToolContext) => {
    const source = analysed(input, context);
    const { file, text, path, string, launch, arch, defines } = input;
    const key = JSON.stringify([file, text, path, string, launch, arch, defines, [...source.analysis.texts]]);
    if (last?.key !== key) last = { key, source, found: fixesOf(source, context) };
    return last;
  };

  const readOnly = { readOnlyHint: true, openWorldHint: false, idempotentHint: true };
  server.registerTool(
    "analyze",
    {
      title: "Memory cost of CUDA kernels",
      description:
        "Kernels of a file or text with their launches, what every shared and global access costs against its ideal, and findings with their reasons.",
      inputSchema: sourceShape,
      annotations: readOnly,
    },
    async (input) => answered(async () => [analyzeText(analysed(input, await contextOf()))]),
  );
  server.registerTool(
    "explain",
    {
      title: "Explain one access",
      description:
        "One access in words: figures of a request and of the launch, which bytes its lanes access, which banks each wavefront serves, and why.",
      inputSchema: placeShape,
      annotations: readOnly,
    },
    async (input) => answered(async () => [explainText(input, analysed(input, await contextOf()))]),
  );
  server.registerTool(
    "fixes",
    {
      title: "Fixes that were tried",
      description:
        "Changes of the text that lower what accesses cost, numbered: each was analysed again and run on a simulator beside the original. Says why a finding has none.",
      inputSchema: sourceShape,
      annotations: readOnly,
    },
    async (input) =>
      answered(async () => {
        const { source, found } = searched(input, await contextOf());
        return [fixesText(source, found)];
      }),
  );
  server.registerTool(
    "apply_fix",
    {
      title: "The text with a fix made",
      description:
        "Gives the whole text with one of the `fixes` made, after a line that says which. Writes no file: the caller does.",
      inputSchema: fixShape,
      annotations: readOnly,
    },
    async (input) =>
      answered(async () => {
        const { source, found } = searched(input, await contextOf());
        const { summary, texts } = appliedFix(input.fix, source, found);
        return [summary, ...texts];
      }),
  );
  server.registerTool(
    "compare",
    {
      title: "Compare two texts of a kernel",
      description:
        "Which of two texts costs less beyond its ideal, kernel by kernel under the same launch, and at which accesses.",
      inputSchema: comparedShape,
      annotations: readOnly,
    },
    async ({ before, after, ...rest }) =>
      answered(async () => {
        const context = await contextOf();
        const sides = [before, after].map((text) => analysed({ ...rest, text }, context));
        const [first, second] = sides;
        return first === undefined || second === undefined ? [] : [compareText(first, second)];
      }),
  );
  server.registerTool(
    "explain_unknown",
    {
      title: "What is not known, and why",
      description:
        "Accesses without a figure or with one that hangs on a condition: the reason, the bounds, and what to give as `launch` or `defines` to settle it.",
      inputSchema: sourceShape,
      annotations: readOnly,
    },
    async (input) => answered(async () => [unknownTexts(analysed(input, await contextOf()))]),
  );
  return server;
}

/** What tools need, with the roots that the client names at that moment; without any the current directory. */
function toolContexts(server: McpServer, options: McpOptions): () => Promise<ToolContext> {
  let pipeline: Promise<Pipeline> | null = null;
  return async () => {
    pipeline ??= options.createPipeline();
    const { host, worked, pathOf } = options;
    const named =
      server.server.getClientCapabilities()?.roots === undefined
        ? []
        : (await server.server.listRoots()).roots;
    const roots = named.flatMap(({ uri }) => pathOf(uri) ?? []);
    return {
      host,
      worked,
      pipeline: await pipeline,
      roots: roots.length > 0 ? roots : [host.currentDirectory],
    };
  };
}

/** One text block for each string; what is wrong with the input is an answer, too. */
async function answered(answer: () => Promise<readonly string[]>): Promise<CallToolResult> {
  try {
    const texts = await answer();
    return { content: texts.map((text) => ({ type: "text", text: visible(text) })) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}
