// Arrays behind pointers in a record that a kernel is given are staged as those that are parameters are, and read as their author wrote them.
import { describe, expect, it } from "vitest";
import { changedLines, fixesOf } from "./fixing.ts";

const drift = `
struct Vec { double x, y, z; };
struct System {
  int n;
  Vec *pos, *vel;
};
__global__ void drift(System s, double dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n) return;
  Vec p = s.pos[i];
  Vec v = s.vel[i];
  p.x += dt * v.x;
  p.y += dt * v.y;
  p.z += dt * v.z;
  s.pos[i] = p;
}
int main() {
  System s{1024, nullptr, nullptr};
  cudaMalloc(&s.pos, s.n * sizeof(Vec));
  cudaMalloc(&s.vel, s.n * sizeof(Vec));
  drift<<<(s.n + 127) / 128, 128>>>(s, 0.01);
}
`;

describe("a pointer in a record", () => {
  it("is told from the other pointers of the record: what is loaded alone is not written back", async () => {
    const { fixes } = await fixesOf(drift);
    const ofArray = (array: string) => fixes.find(({ title }) => "array" in title && title.array === array);
    expect(ofArray("s.pos")?.title).toMatchObject({ kind: "stage-tile", operation: "access" });
    const loads = ofArray("s.vel");
    expect(loads?.title).toMatchObject({ kind: "stage-tile", operation: "load" });
    expect(loads && changedLines(drift, loads)).toEqual([
      "__shared__ Vec tile[128];",
      "constexpr int words = sizeof(Vec) / sizeof(int);",
      "const int first = blockIdx.x * blockDim.x;",
      "for (int k = threadIdx.x; k < blockDim.x * words && first * words + k < s.n * words; k += blockDim.x)",
      "reinterpret_cast<int *>(tile)[k] = reinterpret_cast<const int *>(s.vel + first)[k];",
      "__syncthreads();",
      "Vec v = tile[threadIdx.x];",
    ]);
    // 32 lanes at 24 bytes are 24 sectors, whichever double of them is wanted; words in turn are 4.
    expect(loads?.gain.perRequest).toEqual({ before: 24, after: 4 });
  });

  it("of a record that the text does not declare has no fix", async () => {
    const hidden = drift.replace(
      /struct System \{[^}]*\};/,
      "template <typename T> struct Of { int n; T *pos, *vel; };\nusing System = Of<Vec>;",
    );
    const { fixes } = await fixesOf(hidden);
    expect(fixes).toEqual([]);
  });
});
