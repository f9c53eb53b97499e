// Small CUDA texts and the IR that each must become, written by hand. `lines` is the body of the first function whose id
// begins with `of` (by default the kernel `k`), without its indentation of two.

export interface Snippet {
  readonly title: string;
  readonly source: string;
  readonly of?: string;
  readonly lines: string;
}

export const snippets: readonly Snippet[] = [
  {
    title: "conversions are explicit: promotion, usual arithmetic conversions, shifts keep their count",
    source: `__global__ void k(float* p, unsigned char c, short s, unsigned u, long long w, float f) {
      int a = c + s; unsigned b = s * u; auto d = c << w; p[a] = u / 2 + f; bool t = w > u; p[t] = -c; }`,
    lines: `
i32 a = (i32(c) + i32(s))
u32 b = (u32(s) * u)
i32 d = (i32(c) << w)
*f32[(p + a*4)] = (f32((u / 2:u32)) + f)
bool t = (w > i64(u))
*f32[(p + i32(t)*4)] = f32(-i32(c))`,
  },
  {
    title: "literals have C++'s types",
    source: `__global__ void k(long long* p) { p[0] = 0xffffffff; p[1] = 4294967295; p[2] = 1u << 31; p[3] = 07 + 0b11 + 'A' + 1'000; p[4] = 1e3f; }`,
    lines: `
*i64[p] = 4294967295:i64
*i64[p+8] = 4294967295:i64
*i64[p+16] = 2147483648:i64
*i64[p+24] = 1075:i64
*i64[p+32] = 1000:i64`,
  },
  {
    title: "arrays of rank three, constant parts folded into one address",
    source: `__global__ void k(int i) { __shared__ float a[2][3][5]; a[1][i][4] = a[i][2][i]; a[1][2][3] = 0; }`,
    lines: `
shared f32[2][3][5] a
*f32[(&a.+60:f32[3][5] + i*20)+16] = *f32[(((&a + i*60) + 2*20) + i*4)]
*f32[&a+112] = 0:f32`,
  },
  {
    title: "local arrays at constant indices are parts of the variable",
    source: `__global__ void k(float* p, int i) { float r[4] = {1, 2}; r[2] = r[1]; r[i] = 3; p[0] = r[3]; }`,
    lines: `
f32[4] r = f32[4]{+0 1:f32, +4 2:f32}
r.+8:f32 = r.+4:f32
*f32[(&r + i*4)] = 3:f32
*f32[p] = r.+12:f32`,
  },
  {
    title: "vector casts through pointers and references, access macros",
    source: `#define F4(x) (reinterpret_cast<float4*>(&(x))[0])
      __global__ void k(float* p, int i) { float4 v = *(float4*)&p[i]; F4(p[i * 4]) = v; reinterpret_cast<float2&>(p[i]).y = v.z; p[0] = ((float2*)p)[i].x; }`,
    lines: `
float4 v = *float4[(p + i*4)]
*float4[(p + (i * 4)*4)] = v
*f32[(p + i*4)+4] = v.+8:f32
*f32[p] = *f32[(float2*(p) + i*8)]`,
  },
  {
    title: "pointers: steps, differences, comparisons, negative offsets, pointers to arrays",
    source: `__global__ void k(float* p, float* q, float (*t)[33], unsigned u) { p += u; ++q; long d = q - p; if (p < q) p[-1] = t[u][2]; *(q - u) = (*t)[1]; }`,
    lines: `
p = (p + u*4)
q = (q + 1*4)
i64 d = (q - p)/4
if (p < q)
  *f32[(p + -1*4)] = *f32[(t + u*132)+8]
*f32[(q + -i64(u)*4)] = *f32[t+4]`,
  },
  {
    title: "increments and compound assignment evaluate their index once",
    source: `__global__ void k(float* p, int* c, int i) { p[i++] = 1; p[c[i]] += 2; *p++ = 3; int j = i-- + --i; p[i = j] = 4; }`,
    lines: `
i32 $0
f32* $1
f32* $2
i32 $3
*f32[(p + [$0 = i, i = ($0 + 1), $0]*4)] = 1:f32
[$1 = (p + *i32[(c + i*4)]*4), *f32[$1] = (*f32[$1] + 2:f32)]
[$2 = p, p = ($2 + 1*4), *f32[$2] = 3:f32]
i32 j = ([$3 = i, i = ($3 - 1), $3] + i = (i - 1))
*f32[(p + i = j*4)] = 4:f32`,
  },
  {
    title: "ternaries, short circuits and comma",
    source: `__global__ void k(float* p, float* q, int i) { (i & 1 ? p : q)[i] = i > 0 && p[i] > 0 || !i; i = (i++, i + 1); const float* r = i ? p : nullptr; p[0] = *r; }`,
    lines: `
*f32[((bool((i & 1)) ? p : q) + i*4)] = f32((((i > 0) and (*f32[(p + i*4)] > 0:f32)) or !bool(i)))
i = [i = (i + 1), (i + 1)]
f32* r = (bool(i) ? p : null)
*f32[p] = *f32[r]`,
  },
  {
    title: "structs: nested, aligned, anonymous unions, by value and by pointer",
    source: `struct __align__(16) In { char c; double d; };
      struct Out { short s; In in[2]; union { float f; int n; }; };
      __global__ void k(Out o, Out* p, int i) { p[i] = o; p->in[i].d = o.in[1].c; p[1].n = sizeof(Out) + alignof(Out); }`,
    lines: `
*Out[(p + i*64)] = o
*f64[((p+16 + i*16)+8)] = f64(o.+32:i8)`,
  },
];
