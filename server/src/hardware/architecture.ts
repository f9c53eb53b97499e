// What is known of each GPU architecture: what was measured, and what is only claimed by NVIDIA's documents.
import { isOfAtomic } from "./atomic.ts";
import type { WarpRequest } from "./request.ts";

export interface Architecture {
  readonly name: string;
  readonly generation: "Volta" | "Turing" | "Ampere" | "Ada" | "Hopper" | "Blackwell";
  /** Figures of plain accesses and native atomics: measured there, or claimed from the CUDA programming guide's description. */
  readonly evidence: "measured" | "claimed";
  readonly hasAsyncCopy: boolean;
  readonly hasMatrixLoad: boolean;
  readonly hasMatrixStore: boolean;
}

/**
 * All have 32 banks of 4 bytes and sectors of 32 bytes (CUDA C++ Programming Guide, "Compute Capabilities"), so the rules of this folder apply
 * to all; that the figures are the same too was measured on sm_90 alone.
 */
export const architectures: readonly Architecture[] = [
  architecture("sm_70", "Volta", 70),
  architecture("sm_75", "Turing", 75),
  architecture("sm_80", "Ampere", 80),
  architecture("sm_86", "Ampere", 86),
  architecture("sm_87", "Ampere", 87),
  architecture("sm_89", "Ada", 89),
  architecture("sm_90", "Hopper", 90),
  architecture("sm_100", "Blackwell", 100),
];

/** The one that everything was measured on. */
export const measuredArchitecture: Architecture = architecture("sm_90", "Hopper", 90);

function architecture(name: string, generation: Architecture["generation"], version: number): Architecture {
  return {
    name,
    generation,
    evidence: version === 90 ? "measured" : "claimed",
    hasAsyncCopy: version >= 80,
    hasMatrixLoad: version >= 75,
    hasMatrixStore: version >= 90,
  };
}

/**
 * How far a figure for this request can be trusted on an architecture: "measured", "claimed" (the rule is NVIDIA's or that of sm_90), or
 * "unknown" (the architecture lacks the instruction, or nothing was measured of it).
 */
export function evidenceFor(
  request: Pick<WarpRequest, "operation" | "bytes" | "variant"> & { readonly space: "shared" | "global" },
  on: Architecture,
): "measured" | "claimed" | "unknown" {
  const { space, operation, bytes, variant = "" } = request;
  if (operation === "async-copy" && !on.hasAsyncCopy) return "unknown";
  if (operation === "matrix-load" && !on.hasMatrixLoad) return "unknown";
  if (operation === "matrix-store" && !on.hasMatrixStore) return "unknown";
  if (![1, 2, 4, 8, 16].includes(bytes)) return "claimed";
  const isOfShared = space === "shared" && isOfAtomic(request);
  // 8- and 16-bit atomics on shared memory were not recorded.
  if (isOfShared && bytes < 4) return "claimed";
  // Such a loop ends early where the word does not change, which the data decide.
  if (isOfShared && bytes === 8 && /min|max|and|or|xor/i.test(variant)) return "unknown";
  return on.evidence;
}
