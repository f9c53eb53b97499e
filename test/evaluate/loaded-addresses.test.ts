// Addresses as numbers: those that memory holds, as tables of caches do, and those that the host hands over, as bindings of Python do. What they
// lead to is taken for global memory, as a pointer's from there is.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, address: string) => `
__global__ void k(const ${type}* table, float* out) {
  float* rows = reinterpret_cast<float*>(${address});
  out[threadIdx.x] = rows[2 * threadIdx.x];
}
int main() { ${type}* t; float* o; cudaMalloc(&t, 1024); cudaMalloc(&o, 1024); k<<<4, 32>>>(t, o); }`;

async function rowsOf(type: string, address: string) {
  const { analysis } = await analyse(kernel(type, address));
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  return accesses.filter(({ expression }) => expression.startsWith("rows["));
}

describe("a number that is made a pointer", () => {
  it("leads to global memory where all lanes loaded the one", async () => {
    const [access] = await rowsOf("long long", "table[blockIdx.x]");
    expect(access).toMatchObject({ space: "global", verdict: { kind: "conditional" } });
  });

  it("leads to global memory where the host handed it over as one", async () => {
    const { analysis } = await analyse(`
typedef unsigned long long address;
__global__ void k(address from, float* out) {
  float* rows = reinterpret_cast<float*>(from);
  out[threadIdx.x] = rows[2 * threadIdx.x];
}
int main() { float *t, *o; cudaMalloc(&t, 1024); cudaMalloc(&o, 1024); k<<<4, 32>>>((address)t, o); }`);
    const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
    const [access] = accesses.filter(({ expression }) => expression.startsWith("rows["));
    expect(access).toMatchObject({ space: "global", verdict: { kind: "conditional" } });
  });

  it.each([
    ["long long", "table[threadIdx.x]"],
    ["int", "table[blockIdx.x]"],
  ])("stays unknown: %s %s", async (type, address) => {
    // Of an access to no memory that is known, no rule is asked.
    expect(await rowsOf(type, address)).toEqual([]);
  });
});

describe("what is loaded where nobody knows", () => {
  it("is another number in each lane", async () => {
    const { analysis } = await analyse(`
struct Node { int key; Node* next; };
__global__ void k(Node** heads, float* out) {
  Node* first = heads[threadIdx.x];
  out[first->key] = 1;
}
int main() { Node** h; float* o; cudaMalloc(&h, 256); cudaMalloc(&o, 4096); k<<<1, 32>>>(h, o); }`);
    const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
    const [store] = accesses.filter(({ expression }) => expression.startsWith("out["));
    expect(store?.verdict).toMatchObject({ kind: "unknown" });
  });
});
