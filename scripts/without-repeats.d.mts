/** `bytes` without what repeats in them, as `server/src/host/repeats.ts` reads it. */
export function withoutRepeats(bytes: Uint8Array): Uint8Array;
