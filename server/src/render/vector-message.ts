// What scalar accesses side by side cost, and what vectors in their place would, in words.
import type { AccessFinding, VectorEvidence } from "../rules/finding.ts";
import { capitalised, countText, elementOf, extentText, operationText, vectorName, verbOf } from "./words.ts";

/** "4 adjacent loads of in: 64 sectors where one float4 would take 16". */
export function vectorHead(finding: AccessFinding, evidence: VectorEvidence): string {
  const { access } = finding.worst;
  const { elementCount, before, after, base } = evidence;
  const what = `${elementCount} adjacent ${operationText(access.operation)}s of ${base}`;
  return `${what}: ${countText(before)} sectors where ${vectorsText(finding, evidence)} would take ${countText(after)}`;
}

/**
 * "Each lane reads 4 floats one by one, because the compiler does not know that in is 16-byte aligned; memory from cudaMalloc is. Read them as
 * one float4."
 */
export function vectorReason(finding: AccessFinding, evidence: VectorEvidence): string {
  const { access } = finding.worst;
  const { elementCount, elementBytes, vectorBytes, base } = evidence;
  const verb = verbOf(access.operation);
  const elements = extentText(elementCount * elementBytes, elementOf(access.target?.type));
  const imperative = capitalised(verb);
  return (
    `Each lane ${verb}s ${elements} one by one, because the compiler does not know that ${base} is ${vectorBytes}-byte aligned; ` +
    `memory from cudaMalloc is. ${imperative} them as ${vectorsText(finding, evidence)}.`
  );
}

function vectorsText(finding: AccessFinding, { vectorCount, vectorBytes }: VectorEvidence): string {
  const vector = vectorName(vectorBytes, elementOf(finding.worst.access.target?.type));
  return vectorCount === 1 ? `one ${vector}` : `${countText(vectorCount)} ${vector}`;
}
