// Files that are made of this installation's own, so that the next start is faster. They lie in the user's cache, under a name of this build.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A digest of what was built; null where this is no bundle. */
export const build: string | null = typeof WARPLINT_BUILD === "string" ? WARPLINT_BUILD : null;

declare const WARPLINT_BUILD: unknown;

const digestBytes = 20;

/** What was kept under a name by the same build; null where nothing was, or where it is damaged. */
export function keptBuildFile(name: string): Buffer | null {
  const directory = buildDirectory();
  if (directory === null) return null;
  try {
    const bytes = readFileSync(join(directory, name));
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

function digestOf(content: Uint8Array): Buffer {
  return createHash("sha1").update(content).digest();
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
