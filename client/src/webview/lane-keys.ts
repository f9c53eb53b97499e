// Arrow keys in the list of lanes.

/** The lane that a key leads to; null where the key is none of the list's. */
export function laneAfterKey(key: string, lane: number, laneCount: number): number | null {
  const to = targetOf(key, lane, laneCount);
  return to === null ? null : Math.min(Math.max(to, 0), laneCount - 1);
}

function targetOf(key: string, lane: number, laneCount: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return lane - 1;
    case "ArrowRight":
      return lane + 1;
    // The list shows sixteen lanes a row.
    case "ArrowUp":
      return lane - 16;
    case "ArrowDown":
      return lane + 16;
    case "Home":
      return 0;
    case "End":
      return laneCount - 1;
    default:
      return null;
  }
}
