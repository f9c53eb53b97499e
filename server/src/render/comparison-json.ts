// A comparison as JSON: the contract of docs/compare.md. Fields may be added, never removed.
import type { AccessComparison, Comparison, LaunchComparison } from "../compare/compare.ts";
import type { AccessFigures, LaunchFigures } from "../compare/figures.ts";
import type { Names } from "./comparison.ts";

export function comparisonJson({ kernels, failed }: Comparison, { base, head }: Names): object {
  return {
    schemaVersion: 1,
    base,
    head,
    failed,
    kernels: kernels.map(({ launches, ...kernel }) => ({ ...kernel, launches: launches.map(launchJson) })),
  };
}

function launchJson({ before, after, risen, ...launch }: LaunchComparison): object {
  return {
    before: before && shapeJson(before),
    after: after && shapeJson(after),
    ...launch,
    risen: risen.map(accessJson),
  };
}

function shapeJson({ accesses: _, ...shape }: LaunchFigures): object {
  return shape;
}

function accessJson({ before, after, rise, basis }: AccessComparison): object {
  return { before: before && placeJson(before), after: placeJson(after), rise, basis };
}

function placeJson({ reason: _, ...access }: AccessFigures): object {
  return access;
}
