// Which names a top-level declaration may declare, from its tokens alone: so that only the declarations that are used are parsed.
import type { Token } from "../preprocess/token.ts";
import { afterTemplateHead } from "./split.ts";

/**
 * Every identifier outside of braces, parentheses and `template <…>`, the one in `(*name)`, operators by their whole name, and those inside an
 * enumeration's braces. It may hold more names than are declared, never fewer.
 */
export function namesDeclaredBy(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  const isEnumeration = tokens[tokens[0]?.text === "typedef" ? 1 : 0]?.text === "enum";
  let braces = 0;
  let parentheses = 0;
  for (let index = afterTemplateHead(tokens, 0); index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    const { kind, text } = token;
    if (text === "operator") names.add(operatorName(tokens, index));
    if (kind === "identifier") {
      if (braces > 0 ? isEnumeration : parentheses === 0 || isPointerName(tokens, index)) names.add(text);
    } else if (kind === "punctuator") {
      if (text === "{") braces++;
      else if (text === "}") braces--;
      else if (text === "(" || text === "[") parentheses++;
      else if (text === ")" || text === "]") parentheses--;
    }
  }
  return names;
}

/** `operator==` of what begins at `index`: up to the parameters. */
function operatorName(tokens: readonly Token[], index: number): string {
  let name = "operator";
  for (let at = index + 1; at < tokens.length && (tokens[at]?.text !== "(" || at === index + 1); at++)
    name += tokens[at]?.text;
  return name;
}

/** Whether `(` and stars or ampersands, perhaps with `const`, stand before the name; `const` alone begins a parameter's type. */
function isPointerName(tokens: readonly Token[], index: number): boolean {
  let before = index - 1;
  while (/^([*&]+|const|volatile|__restrict__)$/.test(tokens[before]?.text ?? "")) before--;
  return tokens[before]?.text === "(" && /^[*&]/.test(tokens[before + 1]?.text ?? "");
}

/** Words that stand in the heads of declarations and never name what they declare. */
export const headWords: ReadonlySet<string> = new Set(
  "__global__ __device__ __host__ __constant__ __shared__ __managed__ __forceinline__ __noinline__ __restrict__ __launch_bounds__ alignas auto bool char class const consteval constexpr decltype double enum explicit extern float friend inline int long mutable namespace noexcept operator override short signed static struct template typedef typename union unsigned using virtual void volatile".split(
    " ",
  ),
);
