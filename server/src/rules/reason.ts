// How the reasons of verdicts read: some name an expression (`data[i]`), others say what happens.

/** Whether a reason says what happens: "which lanes take part depends on n". */
export function isSentence(reason: string): boolean {
  return saysDependence(reason) || /^(how|where|which|the|rows|lanes|an?) /.test(reason);
}

/** Whether a reason says itself what something depends on. */
export function saysDependence(reason: string): boolean {
  return /\bdepends? on \S/.test(reason);
}
