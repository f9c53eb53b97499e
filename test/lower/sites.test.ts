// Sites name what the user typed: of an access macro its use, of a macro's argument the argument.
import { expect, test } from "vitest";
import type { AccessSite } from "../../server/src/ir/expression.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

async function sitesOf(text: string): Promise<AccessSite[]> {
  const program = lowerProgram(await readText(text));
  const [kernel] = program.kernels;
  const id = kernel ? program.instantiateKernel(kernel, []) : null;
  const sites: AccessSite[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === "object" && node !== null) {
      const { site } = node as { site?: AccessSite | null };
      if (site) sites.push(site);
      for (const [key, value] of Object.entries(node)) if (key !== "site") visit(value);
    }
  };
  visit(id ? program.functionOf(id)?.body : null);
  return sites;
}

test("sites carry the text and place of the access", async () => {
  const text = `#define F4(x) (*reinterpret_cast<float4*>(&(x)))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
__global__ void k(float *p, volatile int *c, int i) {
  __shared__ float s[32], one;
  s[0] = p[i   +  1];
  F4(p[i * 4]) = F4(s[4]);
  one = MAX(p[2], 0.f);
  c[1] += 2;
  atomicAdd(&s[i], 1.f);
}`;
  const sites = await sitesOf(text);
  const written = sites.map(({ range, expression, isVolatile }) => {
    expect(text.slice(range.start, range.end).replace(/\s+/g, " ")).toBe(expression);
    return isVolatile ? `volatile ${expression}` : expression;
  });
  expect(written).toEqual([
    "s[0]",
    "p[i + 1]",
    "F4(p[i * 4])",
    "F4(s[4])",
    "one",
    "p[2]",
    "p[2]",
    "volatile c[1]",
    "volatile c[1]",
    "atomicAdd(&s[i], 1.f)",
  ]);
});

test("parts of registers have no site", async () => {
  const sites = await sitesOf(
    "__global__ void k(int i) { float4 v; v.x = 1; float r[4]; r[2] = v.x; (void)i; }",
  );
  expect(sites).toEqual([]);
});

test("outputs of asm are charged to the line of its last operand, as nvcc has them", async () => {
  const text = `__global__ void k(float *d, const float *c, unsigned *u) {
  asm("add.f32 %0, %1, %2;"
      : "=f"(d[0])
      : "f"(c[1]),
        "f"(c[2]));
  asm("mov.u32 %0, %%laneid;"
      : "=r"(u[3]));
}`;
  const sites = await sitesOf(text);
  const charged = sites.map(({ expression, merged }) => [
    expression,
    ...merged.map(({ start }) => text.slice(0, start).split("\n").length),
  ]);
  expect(charged).toContainEqual(["d[0]", 5]);
  expect(charged).toContainEqual(["u[3]", 7]);
  expect(charged).toContainEqual(["c[1]"]);
});
