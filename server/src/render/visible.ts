// Characters of files and their names that would do something on a terminal, written so that they only stand there.

/** C0 without tab, form feed and ends of lines (a diff must stay one), DEL, C1, and what turns the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /\r(?!\n)|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Colours of `Paint`, which are not of any file. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const colours = /(\x1b\[(?:0|1|2|22|31|33|36|39)m)/;

/** `text` with control characters as JavaScript spells them: "\u001b". In JSON it means the same. */
export function visible(text: string): string {
  return text.replace(controls, spelled);
}

/** As `visible`, but colours stay. */
export function visibleWithColours(text: string): string {
  return text
    .split(colours)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join("");
}

/** A path within a line of text: names may hold ends of lines. */
export function onOneLine(path: string): string {
  return path.replace(/[\n\t]/g, spelled);
}

function spelled(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
