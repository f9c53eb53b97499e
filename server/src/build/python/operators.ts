// Python's operators on values.
import {
  boolean,
  doubted,
  isFirm,
  keyOf,
  type ListValue,
  list,
  type StringValue,
  string,
  unknown,
  unknownReason,
  type Value,
} from "./values.ts";

/** `left operator right`. */
export function binaryOperation(operator: string, left: Value, right: Value): Value {
  const doubt = left.doubt ?? right.doubt;
  if (left.kind === "string" && left.isPath && operator === "/" && right.kind === "string") {
    const text = right.text.startsWith("/") ? right.text : `${left.text.replace(/\/$/, "")}/${right.text}`;
    return doubted({ kind: "string", text, hole: left.hole ?? right.hole, place: null, isPath: true }, doubt);
  }
  if (operator === "+" && left.kind === "string" && right.kind === "string") {
    return doubted(concatenation(left, right), doubt);
  }
  if (operator === "+" && (left.kind === "list" || right.kind === "list")) return listSum(left, right);
  if (operator === "|" && left.kind === "dict" && right.kind === "dict") {
    return {
      kind: "dict",
      entries: new Map([...left.entries, ...right.entries]),
      more: left.more ?? right.more,
    };
  }
  if (
    left.kind === "list" &&
    right.kind === "list" &&
    (operator === "-" || operator === "&" || operator === "|")
  ) {
    return setOperation(operator, left, right);
  }
  if (operator === "%" && left.kind === "string") return formatted(left, right);
  if (operator === "*" && left.kind === "list" && right.kind === "number" && right.value <= 64) {
    return list(
      Array.from({ length: Math.max(0, right.value) }, () => left.items).flat(),
      left.shape,
      left.more,
    );
  }
  if (left.kind === "number" && right.kind === "number") {
    const value = arithmetic(operator, left.value, right.value);
    if (value !== null) return doubted({ kind: "number", value }, doubt);
  }
  // A string of which a part is not known keeps the part that is.
  if (operator === "+" && left.kind === "string")
    return { ...left, text: `${left.text}{…}`, hole: unknownReason(right) ?? "this is not known" };
  if (operator === "+" && right.kind === "string")
    return { ...right, text: `{…}${right.text}`, hole: unknownReason(left) ?? "this is not known" };
  return unknown(unknownReason(left) ?? unknownReason(right) ?? `${operator} of these is not known`);
}

function concatenation(left: StringValue, right: StringValue): StringValue {
  return {
    kind: "string",
    text: left.text + right.text,
    hole: left.hole ?? right.hole,
    place: left.place ?? right.place,
    isPath: false,
  };
}

function listSum(left: Value, right: Value): Value {
  const items: Value[] = [];
  let more: string | null = null;
  for (const side of [left, right]) {
    if (side.kind === "list") {
      items.push(...side.items.map((one) => doubted(one, side.doubt)));
      more ??= side.more;
    } else if (side.kind === "record" && side.record.callee === "select") items.push(side);
    else if (side.kind !== "none") more ??= unknownReason(side) ?? "a list is not known";
  }
  return list(items, left.kind === "list" ? left.shape : "list", more);
}

function setOperation(operator: "-" | "&" | "|", left: ListValue, right: ListValue): Value {
  const has = (all: ListValue, item: Value): boolean => all.items.some((one) => keyOf(one) === keyOf(item));
  if (operator === "|") {
    return list(
      [...left.items, ...right.items.filter((one) => !has(left, one))],
      "set",
      left.more ?? right.more,
    );
  }
  const kept = left.items.filter((one) => has(right, one) === (operator === "&"));
  return list(kept, "set", left.more ?? right.more);
}

function arithmetic(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? null : left / right;
    case "//":
      return right === 0 ? null : Math.floor(left / right);
    case "%":
      return right === 0 ? null : left - right * Math.floor(left / right);
    case "**":
      return left ** right;
    case "<<":
      return right < 31 ? left << right : null;
    case ">>":
      return right < 31 ? left >> right : null;
    default:
      return null;
  }
}

/** `"-DX=%d" % value`. */
function formatted(left: StringValue, right: Value): Value {
  const items = right.kind === "list" && right.shape === "tuple" ? right.items : [right];
  let at = 0;
  let { hole } = left;
  let doubt = left.doubt;
  const text = left.text.replace(/%(?:%|[-+0 #]*\d*(?:\.\d+)?[sdirfxX])/g, (field) => {
    if (field === "%%") return "%";
    const item = items[at++];
    const known =
      item?.kind === "string"
        ? item.text
        : item === undefined
          ? null
          : item.kind === "number"
            ? String(item.value)
            : keyOf(item);
    doubt ??= item?.doubt;
    if (known !== null && !/\d/.test(field)) {
      if (item?.kind === "string") hole ??= item.hole;
      return known;
    }
    hole ??= (item === undefined ? null : unknownReason(item)) ?? "the value of a format is not known";
    return "{…}";
  });
  return doubted({ ...left, text, hole }, doubt);
}

/** `left operator right` as a truth, or unknown. */
export function compareValues(operator: string, left: Value, right: Value): Value {
  const doubt = left.doubt ?? right.doubt;
  const known = (value: boolean): Value => doubted(boolean(value), doubt);
  const unsure = (): Value =>
    unknown(unknownReason(left) ?? unknownReason(right) ?? "a comparison is not known", "no");
  if (operator === "is" || operator === "is not" || operator === "==" || operator === "!=") {
    const same = isSame(left, right);
    return same === null ? unsure() : known(same === (operator === "is" || operator === "=="));
  }
  if (operator === "in" || operator === "not in") {
    const found = contains(right, left);
    return found === null ? unsure() : known(found === (operator === "in"));
  }
  if (left.kind === "number" && right.kind === "number")
    return known(ordered(operator, left.value, right.value));
  const a = keyOf(left);
  const b = keyOf(right);
  if (left.kind === "string" && right.kind === "string" && a !== null && b !== null)
    return known(ordered(operator, a, b));
  return unsure();
}

function ordered<T extends number | string>(operator: string, left: T, right: T): boolean {
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function isSame(left: Value, right: Value): boolean | null {
  const other = left.kind === "none" ? right : right.kind === "none" ? left : null;
  if (other !== null) {
    if (other.kind === "unknown") return other.isNone === "no" ? false : null;
    return other.kind === "dotted" ? null : other.kind === "none";
  }
  const a = keyOf(left);
  const b = keyOf(right);
  return a === null || b === null ? null : a === b;
}

function contains(container: Value, item: Value): boolean | null {
  const key = keyOf(item);
  if (key === null) return null;
  if (container.kind === "string" && item.kind === "string")
    return container.hole === null ? container.text.includes(item.text) : null;
  if (container.kind === "dict" && item.kind === "string")
    return container.entries.has(item.text) ? true : container.more === null ? false : null;
  // No environment variable is set.
  if (container.kind === "dotted" && /(?:^|\.)environ$/.test(container.name)) return false;
  if (container.kind !== "list") return null;
  const found = container.items.filter((one) => keyOf(one) === key);
  if (found.some((one) => isFirm(one.doubt))) return true;
  return found.length > 0 || container.more !== null || container.items.some((one) => keyOf(one) === null)
    ? null
    : false;
}

/** The strings of a list joined: `separator.join(list)`. */
export function joinedStrings(separator: StringValue, value: Value): Value {
  if (value.kind !== "list") return unknown(unknownReason(value) ?? "a list is not known");
  const texts = value.items.map((one) =>
    one.kind === "string" ? one : { ...string("{…}"), hole: unknownReason(one) ?? "this is no string" },
  );
  return {
    kind: "string",
    text: texts.map(({ text }) => text).join(separator.text),
    hole: texts.find(({ hole }) => hole !== null)?.hole ?? value.more ?? separator.hole,
    place: null,
    isPath: false,
  };
}
