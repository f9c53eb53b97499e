// `// warplint: launch(block=(32,8), grid=(16,16), shared=4096, m=1024, n=1<<20, T=float)`: what a comment says of a launch.
import { splitAtCommas } from "../../text/commas.ts";
import type { SourceRange } from "../../text/source.ts";
import { evaluateInteger } from "./integer-expression.ts";

/** What somebody said of a launch, in a comment or in the configuration. */
export interface LaunchRequest {
  readonly block?: readonly number[];
  readonly grid?: readonly number[];
  readonly sharedBytes?: number;
  /** Values of kernel parameters by name. */
  readonly arguments: ReadonlyMap<string, number>;
  /** Template arguments by the parameter's name, or by its place where the configuration gives a list. */
  readonly templateArguments: ReadonlyMap<string | number, string>;
}

export interface LaunchProblem {
  readonly message: string;
  readonly range: SourceRange;
}

export interface KernelNames {
  readonly parameters: readonly string[];
  readonly templateParameters: readonly string[];
}

/** Parses `text` (the comment, or what stands in it from `launch` on), which ends where `range` ends. */
export function parseAnnotation(
  text: string,
  range: SourceRange,
  names: KernelNames,
): { readonly request: LaunchRequest; readonly problems: readonly LaunchProblem[] } {
  const shift = Math.max(0, range.end - range.start - text.length) + range.start;
  const problems: LaunchProblem[] = [];
  const complain = (message: string, start: number, end: number) => {
    problems.push({
      message,
      range: { file: range.file, start: shift + start, end: shift + Math.max(end, start + 1) },
    });
  };
  const builder = new RequestBuilder(names, complain);
  const head = /launch\s*\(/.exec(text);
  const open = head === null ? -1 : head.index + head[0].length;
  const close = text.lastIndexOf(")");
  if (open === -1) complain(expectation(text), 0, text.length);
  else if (close < open || text.split("(").length > text.split(")").length)
    complain("a ( is not closed", text.length - 1, text.length);
  else for (const part of splitAtCommas(text, open, close)) builder.add(part.text, part.start);
  return { request: builder.request(), problems };
}

/** What a comment should be that is no launch: the word before it stands before what silences a finding, too. */
function expectation(text: string): string {
  const launch = "expected launch(block=(32,8), …)";
  return text.includes("launch") ? launch : `${launch}; what silences a finding is // warplint-disable-line`;
}

class RequestBuilder {
  private readonly names: KernelNames;
  private readonly complain: (message: string, start: number, end: number) => void;
  private readonly values = new Map<string, number>();
  private readonly arguments = new Map<string, number>();
  private readonly templateArguments = new Map<string | number, string>();
  private readonly shapes = new Map<string, number[]>();
  private sharedBytes: number | null = null;

  constructor(names: KernelNames, complain: (message: string, start: number, end: number) => void) {
    this.names = names;
    this.complain = complain;
  }

  request(): LaunchRequest {
    const block = this.shapes.get("block");
    const grid = this.shapes.get("grid");
    return {
      ...(block === undefined ? {} : { block }),
      ...(grid === undefined ? {} : { grid }),
      ...(this.sharedBytes === null ? {} : { sharedBytes: this.sharedBytes }),
      arguments: this.arguments,
      templateArguments: this.templateArguments,
    };
  }

  /** One `name=value`, which starts at `start`. */
  add(text: string, start: number): void {
    if (text.trim() === "") return;
    const match = /^(\s*)(\w+)\s*=/.exec(text);
    const name = match?.[2];
    if (match === null || name === undefined) {
      this.complain("expected name=value", start, start + text.length);
      return;
    }
    const at = start + match[0].length;
    const value = text.slice(match[0].length);
    if (name === "block" || name === "grid") this.shape(name, value, at);
    else if (this.names.templateParameters.includes(name)) this.templateArgument(name, value);
    else this.number(name, value, at, start + (match[1] ?? "").length);
  }

  private templateArgument(name: string, value: string): void {
    const number = evaluateInteger(value, this.values);
    if (number.kind === "value") this.values.set(name, number.value);
    this.templateArguments.set(name, number.kind === "value" ? `${number.value}` : value.trim());
  }

  private number(name: string, value: string, at: number, nameAt: number): void {
    const isShared = name === "shared";
    if (!isShared && !this.names.parameters.includes(name)) {
      const known = [
        "block",
        "grid",
        "shared",
        ...this.names.templateParameters,
        ...this.names.parameters,
      ].join(", ");
      this.complain(
        `${name} is no parameter of the kernel; there are ${known}`,
        nameAt,
        nameAt + name.length,
      );
      return;
    }
    const number = this.integer(value, at);
    if (number === null) return;
    if (isShared) this.sharedBytes = number;
    else this.arguments.set(name, number);
    this.values.set(name, number);
  }

  private shape(name: string, value: string, at: number): void {
    const open = value.indexOf("(");
    const close = value.lastIndexOf(")");
    const isTuple = value.trim().startsWith("(") && value.trim().endsWith(")");
    const parts = isTuple ? splitAtCommas(value, open + 1, close) : [{ text: value, start: 0 }];
    if (parts.length > 3) {
      this.complain(`${name} has at most three extents`, at, at + value.length);
      return;
    }
    const extents = parts.map((part) => this.integer(part.text, at + part.start));
    const [x, y = 1, z = 1] = extents;
    if (x === undefined || x === null || y === null || z === null) return;
    const isWrong = [x, y, z].some((extent) => extent < 1) || (name === "block" && x * y * z > 1024);
    if (isWrong)
      this.complain(
        `${name} must have 1 to ${name === "block" ? "1024 threads" : "2^31 blocks"}`,
        at,
        at + value.length,
      );
    else this.shapes.set(name, [x, y, z]);
  }

  private integer(text: string, at: number): number | null {
    const result = evaluateInteger(text, this.values);
    if (result.kind === "value") return result.value;
    this.complain(result.message, at + result.start, at + result.end);
    return null;
  }
}
