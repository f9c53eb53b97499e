// The types of arrays, with what kernels write to get at their elements.
import type { Element } from "./draft.ts";

const scalar = (type: string): Element => ({
  type,
  read: [(place) => place],
  write: [(place, value) => `${place} = ${value}`, (place, value) => `${place} += ${value}`],
});

const record = (type: string, members: readonly string[], make: (value: string) => string): Element => ({
  type,
  read: members.map((member) => (place) => `(float)${place}.${member}`),
  write: [
    (place, value) => `${place} = ${make(value)}`,
    ...members.map((member) => (place: string, value: string) => `${place}.${member} = ${value}`),
  ],
});

const narrow: Element = {
  type: "__half",
  read: [(place) => `__half2float(${place})`],
  write: [(place, value) => `${place} = __float2half(${value})`],
};

const narrowPair: Element = {
  type: "__half2",
  read: [
    (place) => `__low2float(${place})`,
    (place) => `__half22float2(${place}).y`,
    (place) => `__half2float(${place}.x)`,
  ],
  write: [(place, value) => `${place} = __float2half2_rn(${value})`],
};

export const float: Element = scalar("float");

/** What inputs hold; float more often than all else. */
export const inputElements: readonly Element[] = [
  ...Array.from({ length: 5 }, () => float),
  ...["int", "int", "double", "unsigned char", "signed char", "short", "long long"].map(scalar),
  record("P4", ["x", "y", "z", "w"], (value) => `P4{(float)(${value}), 0.0f, 0.0f, 1.0f}`),
  record("P3", ["x", "y", "z"], (value) => `P3{(float)(${value}), 0.0f, 1.0f}`),
  record("Q2", ["key", "val"], (value) => `Q2{1, (float)(${value})}`),
  record("float2", ["x", "y"], (value) => `make_float2(${value}, 1.0f)`),
  record("float4", ["x", "y", "z", "w"], (value) => `make_float4(${value}, 0.0f, 1.0f, ${value})`),
  record("int4", ["x", "y", "z", "w"], (value) => `make_int4((int)(${value}), 0, 1, 2)`),
  record("uchar4", ["x", "y", "w"], (value) => `make_uchar4((int)(${value}) & 255, 0, 1, 2)`),
  narrow,
  narrowPair,
];

/** What outputs hold: no type of which a kernel adds halves or bytes in place. */
export const outputElements: readonly Element[] = [
  ...Array.from({ length: 4 }, () => float),
  ...inputElements.filter(({ type }) => ["int", "double", "P4", "Q2", "float2", "__half"].includes(type)),
];
