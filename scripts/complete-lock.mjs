// Adds to package-lock.json the platform packages that the registry at hand did not serve when it was written. npm leaves those out,
// and then refuses `npm ci` because they are missing. Run it after `npm install` (`npm run lock`).
import { readFile, writeFile } from "node:fs/promises";

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(await readFile(path, "utf8"));
const added = [];

for (const [location, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const isKnown =
      lock.packages[`node_modules/${name}`] ?? lock.packages[`${location}/node_modules/${name}`];
    const platform = platformOf(name);
    if (isKnown || platform === null || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
    added.push(name);
  }
}

const packages = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
await writeFile(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(added.length === 0 ? "the lock file is complete" : `added ${added.join(", ")}`);

/** "@biomejs/cli-linux-x64-musl" is for Linux on x64 with musl; null where the name tells no platform. */
function platformOf(name) {
  const match =
    /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(gnu|musl|msvc|gnueabihf))?$/.exec(
      name,
    );
  if (match === null) return null;
  const [, os, cpu, abi] = match;
  const libc = { gnu: ["glibc"], gnueabihf: ["glibc"], musl: ["musl"] }[abi];
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc }) };
}
