// The directory `.warplint_cache`: files of JSON by name, written whole or not at all, so that several runs may share it. Whatever cannot be read is
// as if it were not there; where nothing can be written, nothing is kept.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Files that nobody asked for so long are gone, and the oldest beyond so many bytes. */
const mostDays = 30;
const mostBytes = 512 * 1024 * 1024;
const dayMilliseconds = 24 * 3600 * 1000;

const ignoreText = "# Made by warplint, which can make all of it again.\n*\n";

export class CacheFiles {
  readonly directory: string;
  private hasWritten = false;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** What was written under `name`; null where nothing was, or it is damaged. */
  read(name: string): unknown {
    const path = join(this.directory, name);
    try {
      const text = readFileSync(path, "utf8");
      const end = text.indexOf("\n");
      const content = text.slice(end + 1);
      if (text.slice(0, end) !== digestOf(content)) return null;
      this.touch(path);
      return JSON.parse(content);
    } catch {
      return null;
    }
  }

  write(name: string, value: unknown): void {
    const temporary = join(this.directory, `${name}.${process.pid}.tmp`);
    try {
      this.make();
      const content = JSON.stringify(value);
      writeFileSync(temporary, `${digestOf(content)}\n${content}`);
      renameSync(temporary, join(this.directory, name));
      this.hasWritten = true;
    } catch {
      rmSync(temporary, { force: true });
    }
  }

  has(name: string): boolean {
    return existsSync(join(this.directory, name));
  }

  /** Whether this is a directory that was made here: no other is removed. */
  isCache(): boolean {
    try {
      return readFileSync(join(this.directory, ".gitignore"), "utf8") === ignoreText;
    } catch {
      return false;
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Drops what is too old, or too much. */
  bound(): void {
    if (!this.hasWritten) return;
    try {
      const files = readdirSync(this.directory)
        .filter((name) => name.endsWith(".json") || name.endsWith(".tmp"))
        .map((name) => {
          const path = join(this.directory, name);
          const { mtimeMs, size } = statSync(path);
          return { path, mtimeMs, size };
        })
        .sort((a, b) => b.mtimeMs - a.mtimeMs);
      let bytes = 0;
      for (const { path, mtimeMs, size } of files) {
        bytes += size;
        if (bytes > mostBytes || Date.now() - mtimeMs > mostDays * dayMilliseconds)
          rmSync(path, { force: true });
      }
    } catch {
      // Another run is at it.
    }
  }

  private make(): void {
    const ignore = join(this.directory, ".gitignore");
    if (existsSync(ignore)) return;
    mkdirSync(this.directory, { recursive: true });
    writeFileSync(ignore, ignoreText);
  }

  /** What is asked for is young. */
  private touch(path: string): void {
    const now = Date.now();
    if (now - statSync(path).mtimeMs > dayMilliseconds) utimesSync(path, now / 1000, now / 1000);
  }
}

export function digestOf(content: string | Uint8Array): string {
  return createHash("sha1").update(content).digest("base64url");
}
