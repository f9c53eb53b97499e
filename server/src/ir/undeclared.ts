// Names that nothing in sight declares: how the reason of an unknown value names one, and how it is found again in a reason.
import type { Expression } from "./expression.ts";
import { operandsOf } from "./operands.ts";

/** Why what hangs on `name` is not known, which is that of a value if nothing else is said. */
export function undeclaredReason(name: string, kind: "value" | "function" | "type" = "value"): string {
  return `${kind === "value" ? "" : `the ${kind} `}${name}${ending}`;
}

/** Why a macro is not known that a build sets, at `place`. */
export function unreadMacroReason(name: string, place: string): string {
  return `${name} is set by ${place}${unreadEnding}`;
}

/**
 * The value or function that a reason says is declared nowhere; null where it says something else. A value of a type that is not in sight is as
 * unknown as any other.
 */
export function undeclaredIn(reason: string): string | null {
  return pattern.exec(reason)?.[1] ?? null;
}

/** Whether a reason is that a value, function or type without a scope is declared nowhere. */
export function isUndeclared(reason: string): boolean {
  return plainPattern.test(reason);
}

/** The first constant declared nowhere that a condition hangs on by itself; null where there is none. */
export function undeclaredAmong(expression: Expression): string | null {
  const own = expression.kind === "unknown" ? undeclaredConstantIn(expression.reason) : null;
  if (own !== null) return own;
  for (const operand of operandsOf(expression)) {
    const name = undeclaredAmong(operand);
    if (name !== null) return name;
  }
  return null;
}

/** As `undeclaredIn`, but no function: what it gives may differ from call to call. */
export function undeclaredConstantIn(reason: string): string | null {
  return reason.startsWith("the ") ? null : undeclaredIn(reason);
}

const ending = " is declared nowhere in sight";
const unreadEnding = " to a value that is not known";
const pattern = new RegExp(`^(?:the function )?([\\w:]+)(?:${ending}| is set by .*${unreadEnding})$`);
const plainPattern = new RegExp(
  `^(?:the (?:function|type) )?\\w+(?:${ending}| is set by .*${unreadEnding})$`,
);
