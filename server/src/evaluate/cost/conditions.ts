// From which pitches on a figure holds, in the user's names.

export interface PitchCondition {
  readonly pitch: string;
  /** The figure holds from this on; null where it is known only that it holds for large ones. */
  readonly least: number | null;
}

/** What must hold so that all of them do: "m >= 8 and large n". */
export function conditionTexts(conditions: readonly PitchCondition[]): string[] {
  const least = new Map<string, number>();
  for (const condition of conditions)
    least.set(
      condition.pitch,
      Math.max(least.get(condition.pitch) ?? -Infinity, condition.least ?? Infinity),
    );
  return [...least].map(([pitch, from]) => (from === Infinity ? `large ${pitch}` : `${pitch} >= ${from}`));
}
