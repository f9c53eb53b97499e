import { readFileSync, readdirSync } from "node:fs";
import { it } from "vitest";
import { programOf } from "./program-of.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
it("t", async () => {
  const gaps = new Map<string, number>(); let ks = 0, assumed = 0, pathAssumed = 0, exact=0, cond = 0; const slow: string[] = []; const miss: string[] = [];
  for (const d of (process.env.DIRS ?? "").split(":")) for (const f of readdirSync(d)) {
    try {
    const text = readFileSync(d + "/" + f, "utf8");
    const t00 = performance.now(); process.stderr.write(`${f} `);
    const p = await programOf(f, text); const t0 = performance.now(); process.stderr.write(`parse ${(t0-t00).toFixed(0)} `);
    for (const e of p.hostEntries) p.functionOf(e); process.stderr.write(`entries ${(performance.now()-t0).toFixed(0)} `);
    const a = launchesOf(p); process.stderr.write(`launches ${(performance.now()-t0).toFixed(0)}\n`); const t1 = performance.now(); launchesOf(p); const t2 = performance.now();
    if (t2 - t1 > 30) slow.push(`${f} ${(t2-t1).toFixed(0)}`);
    for (const g of a.gaps) gaps.set(g, (gaps.get(g) ?? 0) + 1);
    for (const k of a.kernels) { ks++; 
      if (k.launches.every(l => l.origin.path.length === 0)) { assumed++; if (new RegExp(`\\b${k.declaration.name}\\s*(<[^;]*)?<<<`).test(text)) miss.push(`${f}:${k.declaration.name}`); }
      else if (k.launches.every(l => l.origin.kind === "assumed")) { pathAssumed++; miss.push(`block? ${f}:${k.declaration.name}`); }
      else if (k.launches.some(l => l.assumptions.length > 0)) cond++; else exact++; }
    } catch (e) { console.log("CRASH", f, (e as Error).stack?.split("\n").slice(0, 6).join("|")); }
  }
  console.log(JSON.stringify({ ks, exact, cond, pathAssumed, assumed, slow, gaps: [...gaps].sort((x, y) => y[1] - x[1]).slice(0, 40), miss }, null, 1));
}, 600000);
