// Whether the tokens read so far end in device code, for `#if __CUDA_ARCH__`: nvcc compiles device functions with it, host
// functions without.
import type { Token } from "./token.ts";

interface Scope {
  /** "outer": file, namespace or class, where functions begin; else the side of the function's body. */
  readonly side: "outer" | "device" | "host";
}

const OUTER: Scope = { side: "outer" };
const OUTER_KEYWORDS = new Set(["namespace", "class", "struct", "union", "enum", "extern"]);

/** Follows the tokens of a translation unit; only as far as somebody asks. */
export class SideTracker {
  private readonly tokens: readonly Token[];
  private readonly scopes: Scope[] = [];
  private read = 0;
  private headIsDevice = false;
  private headHasParameters = false;
  private headOpensOuter = false;
  private parentheses = 0;

  /** `tokens` is the growing output of the preprocessor. */
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** False only inside a function that runs on the host alone. */
  isDeviceCode(): boolean {
    if (this.read > this.tokens.length) this.read = this.tokens.length;
    for (; this.read < this.tokens.length; this.read++) {
      const token = this.tokens[this.read];
      if (token !== undefined) this.advance(token.text);
    }
    const side = this.scopes.at(-1)?.side ?? "outer";
    return side === "outer" ? this.headIsDevice || !this.headHasParameters : side === "device";
  }

  private advance(text: string): void {
    if (text === "__global__" || text === "__device__") this.headIsDevice = true;
    else if (text === "(") {
      this.parentheses++;
      this.headHasParameters = true;
    } else if (text === ")") this.parentheses--;
    else if (text === "{") this.open();
    else if (text === "}") {
      this.scopes.pop();
      this.forgetHead();
    } else if (text === ";" && this.parentheses <= 0) this.forgetHead();
    else if (OUTER_KEYWORDS.has(text) && !this.headHasParameters) this.headOpensOuter = true;
  }

  private open(): void {
    const parent = this.scopes.at(-1) ?? OUTER;
    if (this.headIsDevice && this.headHasParameters) this.scopes.push({ side: "device" });
    else if (parent.side !== "outer") this.scopes.push(parent);
    else if (this.headHasParameters && !this.headOpensOuter) this.scopes.push({ side: "host" });
    else this.scopes.push(OUTER);
    this.forgetHead();
  }

  private forgetHead(): void {
    this.headIsDevice = false;
    this.headHasParameters = false;
    this.headOpensOuter = false;
    this.parentheses = 0;
  }
}
