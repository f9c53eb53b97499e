// Which lanes or warps fault, and why, in words.
import { sizeOf } from "../ir/type.ts";
import type { AccessFinding, MisalignmentEvidence } from "../rules/finding.ts";
import { modulo } from "./access-words.ts";
import { countText, elementOf, extentText, operationText, plural, vectorName } from "./words.ts";

/** "Misaligned float4 store: 24 of 32 lanes off the 16-byte boundary, the kernel will fault". */
export function misalignmentHead(finding: AccessFinding, evidence: MisalignmentEvidence): string {
  const { access } = finding.worst;
  const what = `Misaligned ${nameOf(finding)} ${operationText(access.operation)}`;
  if (evidence.variesByLane) {
    const active = (access.worst?.laneAddresses ?? []).filter((address) => address !== null).length;
    const lanes = `${access.misaligned?.lanes ?? 0} of ${active} lanes`;
    return `${what}: ${lanes} off the ${access.bytes}-byte boundary, the kernel will fault`;
  }
  return `${what}${sharePhrase(finding)}, the kernel will fault`;
}

/** Why: the last term of the index, or the length of a row. */
export function misalignmentReason(finding: AccessFinding, evidence: MisalignmentEvidence): string {
  return rowReason(finding, evidence) ?? termReason(finding, evidence) ?? plainReason(finding);
}

function nameOf({ worst: { access } }: AccessFinding): string {
  return vectorName(access.bytes, elementOf(access.target?.type));
}

/** " in 24 of 32 warps" where every block has as many, else " in 3,072 of 4,096 requests". */
function sharePhrase({ worst: { access, launch } }: AccessFinding): string {
  const { requests, allRequests } = access.misaligned ?? { requests: null, allRequests: null };
  if (requests === null || allRequests === null) return "";
  const blocks = launch.grid.reduce<number | null>(
    (n, each) => (n === null || each === null ? null : n * each),
    1,
  );
  const warps = Math.ceil((launch.block[0] * launch.block[1] * launch.block[2]) / 32);
  if (blocks !== null && allRequests === blocks * warps && requests % blocks === 0)
    return ` in ${requests / blocks} of ${warps} warps`;
  return ` in ${countText(requests)} of ${countText(allRequests)} requests`;
}

function rowReason(
  { worst: { access } }: AccessFinding,
  { row, variesByLane }: MisalignmentEvidence,
): string | null {
  const { target, bytes } = access;
  if (row === null || variesByLane || target === null || row.bytes % bytes === 0) return null;
  const length = extentText(row.bytes, elementOf(target.type));
  const inBytes = length.endsWith("bytes") ? "" : ` = ${countText(row.bytes)} bytes`;
  return `A row of ${target.name} is ${length}${inBytes}, no multiple of ${bytes}: ${rowsOff(row.bytes, bytes)} start off the boundary.`;
}

/** Of every `period` rows only the first is aligned: "rows 1-3, 5-7, …". */
function rowsOff(rowBytes: number, width: number): string {
  let period = 1;
  while ((rowBytes * period) % width !== 0) period++;
  if (period === 2) return "rows 1, 3, …";
  return `rows 1-${period - 1}, ${period + 1}-${2 * period - 1}, …`;
}

function termReason(finding: AccessFinding, { laneStepBytes }: MisalignmentEvidence): string | null {
  const { access, kernel } = finding.worst;
  const index = splitIndex(access.expression);
  if (index === null || laneStepBytes === null || laneStepBytes <= 0 || laneStepBytes >= access.bytes)
    return null;
  const { term, rest } = index;
  const sizes = kernel.parameterNames.filter((name) => isFactorIn(name, rest));
  const whatever = sizes.length === 1 ? `, whatever ${sizes[0]} is` : "";
  const times = access.bytes / laneStepBytes;
  const isElementStep = laneStepBytes === sizeOf(elementOf(access.target?.type) ?? { kind: "void" });
  const question = isElementStep && Number.isInteger(times) ? ` Did you mean (${term})*${times}?` : "";
  return (
    `The index ends in ${term}, a step of ${laneStepBytes} bytes; a ${nameOf(finding)} needs steps of ${access.bytes}` +
    `${whatever} (cudaErrorMisalignedAddress).${question}`
  );
}

/** Whether the parameter `name` is multiplied in `text`: a member of that name (`blockIdx.x`) is another thing. */
function isFactorIn(name: string, text: string): boolean {
  const word = `(?<![.\\w])${name}\\b`;
  return new RegExp(`[*]\\s*${word}|${word}\\s*[*]`).test(text);
}

function plainReason({ worst: { access } }: AccessFinding): string {
  const addresses = (access.worst?.laneAddresses ?? []).filter((address) => address !== null);
  const offsets = new Set(addresses.map((address) => modulo(address, access.bytes)));
  const [offset] = offsets;
  const isOne = offsets.size === 1 && offset !== undefined && offset !== 0;
  const start = access.target?.startBytes ?? 0;
  if (isOne && modulo(start, access.bytes) === offset)
    return (
      `${access.target?.name} begins ${plural(start, "byte")} past a multiple of 16, behind what is declared before it ` +
      `(cudaErrorMisalignedAddress): declare it __align__(${access.bytes}).`
    );
  const where = isOne ? `; these lie ${plural(offset, "byte")} past one` : "";
  return `Every lane's address must be a multiple of ${access.bytes} (else cudaErrorMisalignedAddress)${where}.`;
}

/** The last addend of the last subscript, without its parentheses, and what stands before it. */
function splitIndex(expression: string): { readonly term: string; readonly rest: string } | null {
  const close = expression.lastIndexOf("]");
  let depth = 0;
  let plus = -1;
  for (let at = close; at >= 0; at--) {
    const character = expression[at];
    if (character === "]" || character === ")") depth++;
    else if (character === "[" || character === "(") depth--;
    else if (character === "+" && depth === 1 && plus === -1) plus = at;
    if (depth > 0) continue;
    if (character !== "[") return null;
    const start = plus === -1 ? at : plus;
    const term = expression.slice(start + 1, close).trim();
    return { term: withoutParentheses(term), rest: plus === -1 ? "" : expression.slice(at + 1, plus) };
  }
  return null;
}

function withoutParentheses(term: string): string {
  return /^\([^()]*\)$/.test(term) ? term.slice(1, -1) : term;
}
