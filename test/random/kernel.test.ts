// The random kernels that the folded and the plain executor are compared on.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomKernel } from "./kernel.ts";

const nvcc = "/usr/local/bin/nvcc";

describe("random kernels", () => {
  it("are the same for the same seed", () => {
    expect(randomKernel(7).source).toBe(randomKernel(7).source);
    expect(randomKernel(7).source).not.toBe(randomKernel(8).source);
  });

  it.skipIf(!existsSync(nvcc))("compile, forty of them as one file", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "warplint-random-"));
    const sources = Array.from(
      { length: 40 },
      (_, at) => `namespace k${at} {\n${randomKernel(1000 + at).source}}\n`,
    );
    const file = join(folder, "kernels.cu");
    writeFileSync(file, sources.join("\n"));
    try {
      execFileSync(nvcc, ["-arch=sm_90", "-cubin", "-o", join(folder, "kernels.cubin"), file], {
        stdio: "pipe",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
