// Kernels in strings of Python (CuPy's RawKernel and RawModule, PyTorch's load_inline, NVRTC): the string in its place, all else blank, so that
// lines, columns and edits are those of the file.

export interface PythonKernels {
  /** As long as the file. */
  readonly text: string;
  /** Lines at which the strings with kernels begin. */
  readonly lines: readonly number[];
}

export type PythonResult =
  | ({ readonly kind: "kernels" } & PythonKernels)
  | { readonly kind: "error"; readonly message: string };

export function isPython(path: string): boolean {
  return path.endsWith(".py");
}

/** The string number `wanted` (from 1) of those that hold kernels. */
export function pythonKernels(text: string, wanted: number): PythonResult {
  const strings = stringsIn(text).filter(({ start, end }) => text.slice(start, end).includes("__global__"));
  const lines = strings.map(({ start }) => lineAt(text, start));
  const chosen = strings[wanted - 1];
  if (chosen === undefined) {
    const message =
      strings.length === 0
        ? "no string holds a kernel (__global__)"
        : `strings with kernels are numbered 1 to ${strings.length} (lines ${lines.join(", ")})`;
    return { kind: "error", message };
  }
  if (chosen.isFormatted)
    return {
      kind: "error",
      message: `the kernel at line ${lines[wanted - 1]} is an f-string, whose values are not known: give its text`,
    };
  const { start, end } = chosen;
  return {
    kind: "kernels",
    text: blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end)),
    lines,
  };
}

interface PythonString {
  /** Of what stands between the quotes. */
  readonly start: number;
  readonly end: number;
  readonly isFormatted: boolean;
}

function stringsIn(text: string): PythonString[] {
  const found: PythonString[] = [];
  const token = /#[^\n]*|(?:(?<!\w)([A-Za-z]{1,2}))?("""|'''|"|')/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, prefix = "", quotes] = match;
    if (quotes === undefined) continue;
    const start = token.lastIndex;
    const end = endOfString(text, start, quotes);
    found.push({ start, end, isFormatted: /f/i.test(prefix) });
    token.lastIndex = end + quotes.length;
  }
  return found;
}

/** Where the closing quotes stand; a string of one line ends with it, too. */
function endOfString(text: string, start: number, quotes: string): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quotes, at) || (quotes.length === 1 && text[at] === "\n")) return at;
  }
  return text.length;
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
