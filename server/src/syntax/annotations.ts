// Comments `// warplint: …`, given to the declarations that they stand before or in.
import type { Preprocessed } from "../preprocess/preprocessed.ts";
import type { LexedFile, Token } from "../preprocess/token.ts";
import type { SyntaxAnnotation } from "./unit.ts";

/** Gives each annotation comment to the first unit that ends behind it in the same file. */
export class AnnotationReader {
  private readonly preprocessed: Preprocessed;
  private readonly next = new Map<LexedFile, number>();

  constructor(preprocessed: Preprocessed) {
    this.preprocessed = preprocessed;
  }

  before(tokens: readonly Token[]): SyntaxAnnotation[] {
    const last = tokens.at(-1)?.use ?? tokens.at(-1);
    if (last === undefined || last.file.annotations.length === 0) return [];
    const { file } = last;
    const out: SyntaxAnnotation[] = [];
    let at = this.next.get(file) ?? 0;
    for (; at < file.annotations.length; at++) {
      const annotation = file.annotations[at];
      if (annotation === undefined || annotation.start >= last.end) break;
      if (!this.preprocessed.isSkipped(file.path, annotation.start)) out.push(annotationIn(file, annotation));
    }
    this.next.set(file, at);
    return out;
  }
}

/** All of a stretch of a file that was lexed by itself. */
export function annotationsOf(file: LexedFile): SyntaxAnnotation[] {
  return file.annotations.map((annotation) => annotationIn(file, annotation));
}

function annotationIn(
  file: LexedFile,
  { text, start, end }: LexedFile["annotations"][number],
): SyntaxAnnotation {
  return { text, range: { file: file.path, start, end } };
}
