// Between the addresses of the protocol and the paths of the core.
import { URI } from "vscode-uri";

/** Before the scheme of an address that names no file of this machine: such a path is nowhere on disk. */
const virtualMark = "/~";

/** The path that the core knows `uri` by: "/home/a b/x.cu", "c:/x.cu", "//server/share/x.cu", "/~untitled/Untitled-1". */
export function pathOf(uri: string): string {
  const parsed = URI.parse(uri);
  if (parsed.scheme === "file") return parsed.fsPath.replaceAll("\\", "/");
  const path = parsed.path.startsWith("/") ? parsed.path : `/${parsed.path}`;
  const query = parsed.query === "" ? "" : `?${parsed.query}`;
  return `${virtualMark}${parsed.scheme}/${encodeURIComponent(parsed.authority)}${path}${query}`;
}

/** The address of a path that no client has named. */
export function uriOf(path: string): string {
  if (!path.startsWith(virtualMark)) return URI.file(path).toString();
  const [, scheme = "", authority = "", rest = ""] = /^\/~([^/]*)\/([^/]*)(\/[^?]*)?/.exec(path) ?? [];
  return URI.from({ scheme, authority: decodeURIComponent(authority), path: rest }).toString();
}
