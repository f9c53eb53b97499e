// JSON as text in parts: that of a program with thousands of launches is longer than a string may be.

/** How deep in a value its members are parts of their own: the launches of the files of a report. */
const depthOfParts = 4;

/** What `JSON.stringify(value, null, 1)` gives, in parts one behind another. */
export function* jsonParts(value: unknown, depth = 0): Generator<string, void> {
  const margin = " ".repeat(depth);
  if (depth === depthOfParts || typeof value !== "object" || value === null) {
    // Line breaks within texts are escaped: all that there are begin a line.
    yield (JSON.stringify(value, null, 1) ?? "null").replaceAll("\n", `\n${margin}`);
    return;
  }
  const isList = Array.isArray(value);
  const members = isList
    ? [...value.entries()]
    : Object.entries(value).filter(([, each]) => each !== undefined);
  const [start, end] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) {
    yield `${start}${end}`;
    return;
  }
  let separator = `${start}\n${margin} `;
  for (const [name, each] of members) {
    yield isList ? separator : `${separator}${JSON.stringify(name)}: `;
    yield* jsonParts(each, depth + 1);
    separator = `,\n${margin} `;
  }
  yield `\n${margin}${end}`;
}
