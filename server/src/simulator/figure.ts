// Asks the hardware's rules what a request of the simulator costs.
import type { Figure } from "../evaluate/profile.ts";
import { globalFigure, sharedFigure } from "../hardware/figure.ts";
import type { AccessRequest } from "./request.ts";

/** Wavefronts of a shared request, sectors of a global one; null in other memories. */
export function figureOf(request: AccessRequest): Figure | null {
  if (request.space !== "shared" && request.space !== "global") return null;
  const pattern = {
    laneAddresses: request.laneAddresses.map((address, lane) =>
      (request.mask >>> lane) & 1 ? address : null,
    ),
    bytes: request.bytes,
    operation: request.operation,
    variant: request.intrinsic ?? request.operation,
    partnerAddresses:
      request.pairedAddresses?.map((address, lane) => ((request.mask >>> lane) & 1 ? address : null)) ?? null,
  };
  return request.space === "shared" ? sharedFigure(pattern) : globalFigure(pattern);
}
