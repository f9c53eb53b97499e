/** The reason of a finding without the sentence in front that says what it costs in all: "1,015,808 excess wavefronts in this launch (61 % of the kernel's)." */
export function withoutCost(reason: string): string {
  return reason.replace(
    /^(?:at least )?[\d,]+ excess (?:wavefront|sector)s? in [^(]+?(?: \([^)]*\))?\. /,
    "",
  );
}
