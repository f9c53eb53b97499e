// The npm package as users have it: packed, installed without a network, run by the action's script and by the hook of pre-commit.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { builtCli } from "../support/built.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-packed-")));
const project = join(folder, "project");
const environment = { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false" };
const strided = `__global__ void k(float *p) { p[threadIdx.x * 2] = 0; }
int main() {
  float *p;
  cudaMalloc(&p, 4096);
  k<<<1, 64>>>(p);
}
`;

beforeAll(() => {
  const source = join(folder, "package");
  mkdirSync(source);
  cpSync(join(root, "server/package.json"), join(source, "package.json"));
  cpSync(dirname(builtCli()), join(source, "dist"), { recursive: true });
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: source, env: environment });
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }\n');
  writeFileSync(join(project, "strided.cu"), strided);
  writeFileSync(join(project, "clean.cu"), strided.replace(" * 2", ""));
  const tarball = join(folder, `warplint-${version()}.tgz`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: project, env: environment });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function version(): string {
  return (JSON.parse(readFileSync(join(root, "server/package.json"), "utf8")) as { version: string }).version;
}

function shell(script: string, variables: Readonly<Record<string, string>> = {}) {
  const env = { ...environment, ...variables };
  return spawnSync("bash", ["-e", "-c", script], { cwd: project, env, encoding: "utf8" });
}

interface Action {
  readonly inputs: { readonly arguments: { readonly default: string } };
  readonly runs: { readonly steps: readonly { readonly run: string }[] };
}

it("the action's script tells GitHub of the findings", () => {
  const { inputs, runs } = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
  const { status, stdout } = shell(runs.steps[0]?.run ?? "", {
    WARPLINT_ARGUMENTS: inputs.arguments.default,
    WARPLINT_VERSION: version(),
  });
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^::warning file=strided\.cu,line=1,.*Uncoalesced store/),
  ]);
  expect(status).toBe(1);
});

it("the hook of pre-commit fails for a file with a finding, and passes one without", () => {
  const [hook] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as { entry: string }[];
  const bad = shell(`${hook?.entry} strided.cu`);
  expect(bad.stdout).toContain("strided.cu:1:");
  expect(bad.status).toBe(1);
  expect(shell(`${hook?.entry} clean.cu`).status).toBe(0);
});

it("installed as docs/editors.md says, the command that editors start is on the PATH", () => {
  const page = readFileSync(join(root, "docs/editors.md"), "utf8");
  const block = /<!-- tested: install -->\n```\n([^`]*)```/.exec(page)?.[1] ?? "";
  const install = block.split("\n").find((line) => line.startsWith("npm install"));
  const prefix = join(folder, "global");
  const { status } = spawnSync("bash", ["-e", "-c", install ?? "exit 1"], {
    cwd: folder,
    env: { ...environment, npm_config_prefix: prefix },
  });
  expect(status).toBe(0);
  const answer = shell("warplint --version", { PATH: `${prefix}/bin:${process.env.PATH}` });
  expect(answer.stdout.trim()).toBe(version());
});

it("the package has the manual page and needs no other package", () => {
  const installed = join(project, "node_modules/warplint");
  expect(existsSync(join(installed, "dist/warplint.1"))).toBe(true);
  expect(existsSync(join(project, "node_modules/commander"))).toBe(false);
});
