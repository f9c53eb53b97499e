// Each access in the text of a kernel is reported, with its figures or with why there are none. `@` marks one in the texts below.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const before = `
#include <cooperative_groups.h>
#include <cuda/std/array>
#include <span>
namespace cg = cooperative_groups;
struct Ctx { float *data; const float *in; float *__restrict__ out; float **rows; int n; };
struct Node { Node *next; float value; Ctx ctx; };
union Word { float f[4]; int i[4]; unsigned char b[16]; };
struct Flags { unsigned a : 3; unsigned b : 5; float x; };
struct Bits { int a : WIDTH; float b; float c[4]; };
struct alignas(WIDTH) Wide { float b; };
struct Derived : Base { float b; };
__device__ float *pointer;
__device__ float *table[4];
__device__ Ctx dctx;
__constant__ Ctx cctx;
static __device__ float grid[64][64];
__device__ float *at(float *p, int i) { return p + i * 3; }
__device__ float &ref(float *p, int i) { return p[i * 2]; }
extern __device__ float *elsewhere(int i);
extern __device__ float &elsewhereReference(int i);
struct Row { float *p; __device__ float &operator()(int i) const { return p[i]; } __device__ float &operator[](int i) { return p[i * 2]; } };
`;

/** Kernels of `float *o, float *q, int n` by what they hold; `t` is the thread's index. */
const bodies: Readonly<Record<string, string>> = {
  "pointers of the file": "@pointer[t] = 1; @table[t & 3][t] = 2; @grid[t][3] = 3; pointer = o;",
  "members of structs":
    "Ctx c{o, q, o, nullptr, n}; @c.data[t] = @c.in[t * 2]; @c.out[t + 4096] = 2; @dctx.data[t] = 1; @cctx.out[t] = @cctx.in[t];",
  "pointers to pointers": "@dctx.rows[t][3] = 4; float **r = (float **)q; @r[t][1] = 5;",
  "lists of structs":
    "Node *p = (Node *)q; @p->value = 1; @p[t].value = 2; @p->next->value = 3; @p[t].ctx.data[t] = 4; while (@p->next) p = p->next; @p->ctx.n = 3;",
  "pointers that functions give":
    "@*at(o, t) = 3; @ref(o, t + 512) = 4; @elsewhere(t)[1] = 5; @elsewhereReference(t) = 6;",
  unions: "Word *w = (Word *)q; @w[t].f[1] = 1; @w->i[t] = 2; @w[t].b[7] = 3;",
  "bit-fields": "Flags *f = (Flags *)q; @f[t].a = 1; @f[t].b += 2; o[t] = @f[t + 64].a; @f[t].x = 3;",
  casts:
    "@reinterpret_cast<float4 *>(o)[t] = make_float4(1, 2, 3, 4); @*(double *)(o + 4096 + 2 * t) = 5; @((char *)q)[t] = 6; @(*(int (*)[8])(o + 8192 + 8 * t))[2] = 7;",
  "arrays of pointers": "float *p[2] = {o, q}; @p[t & 1][t] = 10; float *const *r = p; @r[1][t + 512] = 11;",
  references: "float &r = o[t * 5]; @r = 11; const float &s = q[t]; o[t + 4096] = @s;",
  lambdas:
    "auto f = [&](int i) { @o[i * 6] = @q[i]; }; f(t); auto g = [=](float *p) { @p[n] = 2; }; g(o + 8192);",
  "objects with operators": "Row v{o}; @v(t) = 13; @v[t + 512] = 14;",
  "std::span and cuda::std::array":
    "std::span<float> s(o, n); @s[t] = 1; @s.data()[t + 512] = 2; auto a = (cuda::std::array<float, 4> *)q; @a[t][1] = 3; @a[t + 64].data()[2] = 4;",
  "cooperative groups":
    "auto b = cg::this_thread_block(); auto w = cg::tiled_partition<32>(b); @o[b.thread_rank()] = 1; @o[w.thread_rank() * 2 + 4096] = 2; __shared__ float s[256]; @s[b.thread_rank() ^ 1] = 3; b.sync(); @q[t] = @s[t];",
  "layouts that hang on what is not declared":
    "@((Bits *)o)[t].b = 1; @((Bits *)o)->c[2] = 2; @((Wide *)q)[t].b = 3; @((Derived *)q)[t].b = 4; float x = @((Bits *)q)->b; @o[t + 4096] = x;",
  "pointers to types that are not declared":
    "real *p = (real *)o; @p[t] = 1; @p[t].x = 2; @p->y = 3; @*p = 4; @p[t].rows[3] = 5; @o[t + 4096] = @p->z; @p[t].x += 1; o[t + 8192] = @*p->w;",
  "objects of types that are not declared":
    "View v(o); @v[t] = 1; @v(t, 2) = 2; @v.data[t] = 3; @v.rows(t)[0] = 4; @o[t] = @v[t][3]; @*v.begin() = 5; @v->a = 6; for (auto &x : v) @x = 1; for (auto i : v.list()) @o[i + t * 32] = 1;",
  "values of what is not declared": "@o[LIMIT + t] = 1; if (@q[PLACE] > 0) @o[t] = 2; @o[place(@q[t])] = 3;",
};

describe("every access in the text is reported", () => {
  it.each(Object.entries(bodies))("%s", async (_, body) => {
    const marked = `${before}__global__ void k(float *o, float *q, int n) { int t = threadIdx.x; ${body} }\nint main() { float *o, *q; cudaMalloc(&o, 1 << 20); cudaMalloc(&q, 1 << 20); k<<<4, 64>>>(o, q, 5); }\n`;
    const places = [...marked.matchAll(/@/g)].map(({ index }, count) => index - count);
    const text = marked.replaceAll("@", "");
    const { analysis } = await analyse(text);
    const accesses = analysis.report.launches.flatMap(({ profile }) => profile.accesses);
    const reported = new Set(
      accesses.flatMap(({ range, mergedRanges }) => [range, ...mergedRanges].map(({ start }) => start)),
    );
    const excerpt = (place: number) => text.slice(place, place + 24);
    expect(places.filter((place) => !reported.has(place)).map(excerpt)).toEqual([]);
    for (const { verdict, totals, expression } of accesses)
      if (totals === null && verdict.kind === "unknown") expect(verdict.reason, expression).not.toBe("");
  });
});
