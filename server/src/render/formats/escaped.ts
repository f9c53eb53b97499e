// Text as other formats need it: XML, and the commands of GitHub's log.

/** In XML, attributes included; what XML cannot hold is left out. */
export function xmlText(text: string): string {
  return Array.from(text, xmlCharacter).join("");
}

function xmlCharacter(character: string): string {
  const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code === 9 || code === 10 || code === 13) return `&#${code};`;
  const isAllowed = code >= 0x20 && (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  return isAllowed ? character : "";
}

/** The message of a command of GitHub's log. */
export function commandText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** The value of one of its properties. */
export function commandProperty(text: string): string {
  return commandText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
