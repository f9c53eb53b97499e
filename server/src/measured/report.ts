// What a profiler's report says of each launch, whichever form it came in: plain data.

/** Over one launch: as Nsight Compute's source page has them. */
export interface MeasuredFigures {
  readonly wavefronts: number;
  readonly idealWavefronts: number;
  readonly sectors: number;
  readonly idealSectors: number;
}

export const noFigures: MeasuredFigures = { wavefronts: 0, idealWavefronts: 0, sectors: 0, idealSectors: 0 };

/** The file as the report names it. */
export interface MeasuredPlace {
  readonly file: string;
  readonly line: number;
}

/** What the instructions of a line cost. Each instruction counts once. */
export interface MeasuredLine extends MeasuredPlace, MeasuredFigures {
  /** Where the line table puts the same instructions as well: the calls that were inlined, and the lines inside of them. */
  readonly alsoAt: readonly MeasuredPlace[];
}

/** The figures of instructions by line. Of an instruction's places the first is where it is charged. */
export function chargedLines(
  instructions: Iterable<{ readonly places: readonly MeasuredPlace[]; readonly figures: MeasuredFigures }>,
): MeasuredLine[] {
  const lines = new Map<string, MeasuredLine>();
  const keyOf = ({ file, line }: MeasuredPlace) => `${file}\n${line}`;
  for (const { places, figures } of instructions) {
    const [first] = places;
    if (first === undefined) continue;
    const known = lines.get(keyOf(first));
    const alsoAt = new Map([...(known?.alsoAt ?? []), ...places.slice(1)].map((each) => [keyOf(each), each]));
    alsoAt.delete(keyOf(first));
    lines.set(keyOf(first), {
      file: first.file,
      line: first.line,
      ...sumOf(known === undefined ? [figures] : [known, figures]),
      alsoAt: [...alsoAt.values()].map(({ file, line }) => ({ file, line })),
    });
  }
  return [...lines.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

export interface MeasuredLaunch {
  /** As the report prints it: "void rowSoftmax<float>(T1 *, int)". */
  readonly signature: string;
  /** Unqualified. */
  readonly kernel: string;
  /** Null where the report does not tell them. */
  readonly templateArguments: readonly string[] | null;
  readonly block: readonly number[] | null;
  readonly grid: readonly number[] | null;
  /** Bytes of dynamic shared memory. */
  readonly sharedBytes: number | null;
  /** Of all lines; null where the figures were not collected. */
  readonly totals: MeasuredFigures | null;
  /** Null where the report knows no lines. */
  readonly lines: readonly MeasuredLine[] | null;
}

export type ReadMeasurement =
  | {
      readonly kind: "launches";
      readonly launches: readonly MeasuredLaunch[];
      readonly notes: readonly string[];
    }
  | { readonly kind: "error"; readonly message: string };

export function sumOf(figures: readonly MeasuredFigures[]): MeasuredFigures {
  return figures.reduce(
    (sum, each) => ({
      wavefronts: sum.wavefronts + each.wavefronts,
      idealWavefronts: sum.idealWavefronts + each.idealWavefronts,
      sectors: sum.sectors + each.sectors,
      idealSectors: sum.idealSectors + each.idealSectors,
    }),
    noFigures,
  );
}

/** "void ns::k<(int)32, float>(T1 *)" is `k` with the arguments 32 and float. */
export function kernelOf(signature: string): Pick<MeasuredLaunch, "kernel" | "templateArguments"> {
  const open = startOfParameters(signature);
  const head = signature.slice(0, open).trim();
  const { name, inner } = splitTemplate(head);
  const kernel = /([A-Za-z_]\w*)$/.exec(name.trim())?.[1] ?? name;
  const templateArguments = inner === null ? [] : separated(inner).map(argumentText);
  return { kernel, templateArguments };
}

/** The last bracket at depth 0 that opens parameters; the end where there are none. */
function startOfParameters(signature: string): number {
  let depth = 0;
  for (let at = signature.length - 1; at >= 0; at--) {
    const character = signature[at];
    if (character === ")" || character === ">") depth++;
    else if (character === "(" || character === "<") depth--;
    if (character === "(" && depth === 0) return at;
  }
  return signature.length;
}

function splitTemplate(head: string): { readonly name: string; readonly inner: string | null } {
  if (!head.endsWith(">")) return { name: head, inner: null };
  let depth = 0;
  for (let at = head.length - 1; at >= 0; at--) {
    if (head[at] === ">") depth++;
    else if (head[at] === "<" && --depth === 0)
      return { name: head.slice(0, at), inner: head.slice(at + 1, -1) };
  }
  return { name: head, inner: null };
}

function separated(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === "<" || character === "(") depth++;
    else if (character === ">" || character === ")") depth--;
    if (at === list.length || (character === "," && depth === 0)) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

/** "(int)32" is 32, "(bool)1" is 1, as the kernels of `analyze` have them. */
function argumentText(text: string): string {
  return text.replace(/^\([\w ]+\)(?=-?\d)/, "");
}
