// Files that are made of this installation's own, so that the next start is faster. They lie in the user's cache, under a name of this build.
import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A digest of what was built; null where this is no bundle. */
export const build: string | null = typeof WARPLINT_BUILD === "string" ? WARPLINT_BUILD : null;

declare const WARPLINT_BUILD: unknown;

const digestBytes = 20;

/** What was kept under a name by the same build; null where nothing was, or where it is damaged. See `readInto`. */
export function keptBuildFile(name: string, room: Buffer | null = null): Buffer | null {
  const directory = buildDirectory();
  if (directory === null) return null;
  try {
    const bytes = readInto(join(directory, name), room);
    const content = bytes.subarray(digestBytes);
    return digestOf(content).equals(bytes.subarray(0, digestBytes)) ? content : null;
  } catch {
    return null;
  }
}

/** Keeps a file, whole or not at all. Where there is no place for it, nothing is kept. */
export function keepBuildFile(name: string, content: Uint8Array): void {
  const directory = buildDirectory();
  if (directory === null) return;
  const temporary = join(directory, `${name}.${process.pid}.tmp`);
  try {
    if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) forgetOldBuilds(directory);
    writeFileSync(temporary, Buffer.concat([digestOf(content), content]), { mode: 0o600 });
    renameSync(temporary, join(directory, name));
  } catch {
    rmSync(temporary, { force: true });
  }
}

/** Builds that have not started for a month are gone. */
function forgetOldBuilds(directory: string): void {
  const builds = dirname(directory);
  for (const name of readdirSync(builds)) {
    const age = Date.now() - statSync(join(builds, name)).mtimeMs;
    if (age > oldMilliseconds) rmSync(join(builds, name), { recursive: true, force: true });
  }
}

const oldMilliseconds = 30 * 24 * 3600 * 1000;

/**
 * A file's bytes, in `room` where they fit: memory that is touched for the first time takes longer to come by than to be filled. They stay until
 * something else is read into it.
 */
export function readInto(path: string, room: Buffer | null): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes =
      room !== null && size <= room.length ? room.subarray(0, size) : Buffer.allocUnsafeSlow(size);
    let at = 0;
    while (at < size) {
      const read = readSync(file, bytes, at, size - at, null);
      if (read === 0) throw new Error(`${path} became shorter`);
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

const pageBytes = 4096;
const sampleBytes = 32;

/** Of the length and of a piece of each page: what a disk lost is lost by the page, and to digest all of it takes as long as to read it. */
function digestOf(content: Uint8Array): Buffer {
  const digest = createHash("sha1").update(`${content.length}`);
  const samples = Buffer.allocUnsafe(Math.ceil(content.length / pageBytes) * sampleBytes);
  let length = 0;
  for (let at = 0; at < content.length; at += pageBytes) {
    const sample = content.subarray(at, at + sampleBytes);
    samples.set(sample, length);
    length += sample.length;
  }
  return digest.update(samples.subarray(0, length)).digest();
}

function buildDirectory(): string | null {
  if (build === null || process.env.WARPLINT_NO_CACHE) return null;
  try {
    return join(userCacheDirectory(), "warplint", build);
  } catch {
    // No home.
    return null;
  }
}

/** Where a program of this user keeps what it can make again. */
function userCacheDirectory(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME?.startsWith("/")) return XDG_CACHE_HOME;
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA;
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}
