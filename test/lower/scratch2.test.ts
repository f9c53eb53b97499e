import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execSync } from "node:child_process";
import { test } from "vitest";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "./support.ts";
import { readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import { testParser } from "../support/parser.ts";
import { reachable } from "./support.ts";

test("survey", async () => {
  const parser = await testParser();
  const files = execSync(`find ${process.env.DIR} -name '*.cu' -o -name '*.cuh' | head -${process.env.MAX ?? 400}`).toString().trim().split("\n");
  const gaps = new Map<string, string[]>();
  let kernels = 0, clean = 0, failed = 0, functions = 0, unitsParsed = 0;
  for (const file of files) {
    const start = performance.now();
    const readInclude = (name: string, from: string) => {
      for (const base of [dirname(from ?? file), ...(process.env.INC ?? "").split(":").filter(Boolean)]) {
        const path = join(base, name);
        if (existsSync(path)) return { path, text: readFileSync(path, "utf8") };
      }
      return null;
    };
    try {
      const unit = readTranslationUnit(file, readFileSync(file, "utf8"), parser, { readInclude } as never);
      const program = lowerProgram(unit, { prelude: await testPrelude() });
      const entries = program.hostEntries;
      const reached = new Set(reachable(program, entries));
      for (const kernel of program.kernels) {
        const name = `(^|::)${kernel.name}[<(]`;
        let ids = [...reached].filter((id) => new RegExp(name).test(id));
        if (ids.length === 0) {
          const args = kernel.templateParameters.filter((p) => !p.hasDefault && !p.isPack).map((p) => (p.kind === "type" ? "float" : "4"));
          const id = program.instantiateKernel(kernel, args);
          if (id) ids = [id];
        }
        kernels++;
        if (ids.length === 0) { failed++; gaps.set("NOT INSTANTIATED", [...(gaps.get("NOT INSTANTIATED") ?? []), `${file} ${kernel.name} ${kernel.templateParameters.map(p=>p.kind+p.name)}`]); continue; }
        const all = new Set(reachable(program, ids));
        let bad = false;
        for (const id of all) {
          const f = program.functionOf(id);
          functions++;
          for (const gap of f?.gaps ?? []) { bad = true; const k = gap.replace(/\b[A-Za-z_]\w*::/g, ""); gaps.set(k, [...(gaps.get(k) ?? []), `${file}:${id}`]); }
        }
        if (!bad) clean++;
      }
    } catch (error) {
      console.log("CRASH", file, String((error as Error).stack).split("\n").slice(0, 6).join("\n"));
    }
    const ms = performance.now() - start;
    if (ms > 1500) console.log("SLOW", file, Math.round(ms));
  }
  console.log(`kernels ${kernels} clean ${clean} not instantiated ${failed} functions ${functions}`);
  console.log([...gaps].sort((a, b) => b[1].length - a[1].length).slice(0, Number(process.env.TOP ?? 60)).map(([gap, where]) => `${where.length} ${gap}   ${where[0]?.replace(process.env.DIR ?? "", "").slice(0, 150)}`).join("\n"));
}, 600000);
