import { measurePrograms, outcomeName } from "../../test/support/programs.ts";
const results = measurePrograms("server/dist/cli.cjs", process.argv[2] ?? "", []);
for (const r of results) for (const o of r.outcomes) {
  if (o.kind === "exact" || o.kind === "moved") continue;
  if ("dependsOnData" in o && o.dependsOnData) continue;
  console.log(r.program, o.kind, outcomeName(o, r.nameOfLine), "reason" in o ? o.reason : "");
}
