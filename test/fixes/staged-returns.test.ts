// A thread that leaves by what its own record says stays to write the block's records back: the record in the tile decides then.
import { describe, expect, it } from "vitest";
import { changedLines, fixesOf } from "./fixing.ts";

const settle = `
struct Body { float x, y, z, v; int flags, kind, group; };
__global__ void settle(Body *bodies, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if ((bodies[i].flags | bodies[i].kind | bodies[i].group) & 1) return;
  bodies[i].x += dt * bodies[i].v;
  bodies[i].y += dt * bodies[i].v;
  bodies[i].z += dt * bodies[i].v;
}
int main() {
  Body *bodies;
  cudaMalloc(&bodies, 1024 * sizeof(Body));
  settle<<<8, 128>>>(bodies, 1024, 0.5f);
}
`;

describe("records that are staged", () => {
  it("hold what a return asks for", async () => {
    const { fixes } = await fixesOf(settle);
    const staged = fixes.find(({ kind }) => kind === "stage-tile");
    expect(staged && changedLines(settle, staged)).toContain(
      "if (i < n && !((tile[threadIdx.x].flags | tile[threadIdx.x].kind | tile[threadIdx.x].group) & 1)) {",
    );
    expect(staged?.title).toMatchObject({ array: "bodies", operation: "access" });
  });
});
