// `--fix` over programs of many kinds: what it writes it leaves alone the second time.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/fixes", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "warplint-twice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const safe = [
  "alias_template.cu",
  "carved_tiles.cu",
  "flat_constexpr.cu",
  "member_names.cu",
  "pad_half_banks.cu",
  "spread_scan.cu",
  "swizzle_columns.cu",
  "template_pad.cu",
  "transpose_sums.cu",
  "vector_copy.cu",
  "view_flat.cu",
];
const suggested = [
  "align_exchange.cu",
  "columns_gemm.cu",
  "launch_rows.cu",
  "pad_odd.cu",
  "pad_record.cu",
  "rows_scale.cu",
  "spread_effects.cu",
  "stripe_map.cu",
  "swap_gemm.cu",
  "tile_guarded.cu",
];

it.each([
  ["--fix", safe],
  ["--unsafe-fixes", suggested],
])("%s changes each program the first time, and none the second", { timeout: 300_000 }, (option, names) => {
  for (const name of [...names, "harness.cuh"]) copyFileSync(join(fixtures, name), join(folder, name));
  const run = () => {
    const { status } = spawnSync(
      process.execPath,
      [builtCli(), "check", "--fix", option, "--no-cache", ...names],
      { cwd: folder },
    );
    expect(status).toBeLessThan(2);
    return names.map((name) => readFileSync(join(folder, name), "utf8"));
  };
  const before = names.map((name) => readFileSync(join(fixtures, name), "utf8"));
  const first = run();
  expect(names.filter((_, index) => first[index] === before[index])).toEqual([]);
  const second = run();
  expect(names.filter((_, index) => second[index] !== first[index])).toEqual([]);
});
