// memcpy of a small constant size in device code. nvcc trusts no alignment but what it proves: global memory is copied byte by byte, whatever
// the type of the pointer; shared arrays by words of their elements, which codegen joins where it proves more; registers cost nothing.
// Measured on an H200: fixtures/tensor/memcpy.cu.
import type { AccessSite, Expression } from "../ir/expression.ts";
import { alignmentOf, pointerTo, sizeOf, type Type, uint8 } from "../ir/type.ts";
import { assignOf, constantOf, convertOf, loadOf, offsetOf, placeAt, sequenceOf, unknownValue } from "./build.ts";

const mostBytes = 16;

/** The copy of `bytes` bytes; null where the size or the copy is not one that was measured. */
export function smallCopy(
  destination: Expression,
  source: Expression,
  bytes: Expression,
  site: AccessSite,
): Expression | null {
  if (bytes.kind !== "constant") return null;
  const count = Number(bytes.value);
  if (!(count > 0 && count <= mostBytes)) return null;
  if (destination.type.kind !== "pointer" || source.type.kind !== "pointer") return null;
  const [to, from] = [sideOf(destination), sideOf(source)];
  const loads = from === "register" ? [] : piecesOf(source, from, count, site).map(({ place, site: at }) => loadOf(place, at));
  const nothing = constantOf({ kind: "void" }, 0);
  if (to === "register") {
    const own = destination.type.target;
    const type: Type = sizeOf(own) === count ? own : bytesOf(count);
    const value = unknownValue(type, "bytes that memcpy copied", loads);
    return sequenceOf([assignOf(placeAt(convertOf(destination, pointerTo(type)), type), value, null)], nothing);
  }
  const stores = piecesOf(destination, to, count, site).map(({ place, site: at }, index) =>
    assignOf(place, unknownValue(place.type, "bytes that memcpy copied", index === 0 ? loads : []), at),
  );
  return sequenceOf(stores, nothing);
}

type Side = "register" | "shared" | "other";

function sideOf(pointer: Expression): Side {
  let current = pointer;
  for (let depth = 0; depth < 16; depth++) {
    if (current.kind === "offset") current = current.pointer;
    else if (current.kind === "convert") current = current.operand;
    else if (current.kind !== "address") return "other";
    else if (current.place.kind === "memory") current = current.place.pointer;
    else {
      const { storage } = current.place.variable;
      return storage === "automatic" ? "register" : /shared/.test(storage) ? "shared" : "other";
    }
  }
  return "other";
}

function piecesOf(pointer: Expression, side: Side, count: number, site: AccessSite) {
  const own = pointer.type.kind === "pointer" ? (alignmentOf(pointer.type.target) ?? 1) : 1;
  let bytes = side === "shared" ? Math.min(own, 8) : 1;
  while (count % bytes !== 0) bytes /= 2;
  const type: Type = bytesOf(bytes);
  // Bytes of global memory are never joined: that the pointer's type promises more is not believed here.
  const at = side === "shared" ? site : { ...site, isVolatile: true };
  return Array.from({ length: count / bytes }, (_, index) => ({
    place: placeAt(
      offsetOf(convertOf(pointer, pointerTo(uint8)), constantOf({ kind: "integer", bits: 64, signed: true }, index * bytes), 1, type),
      type,
    ),
    site: at,
  }));
}

function bytesOf(count: number): Type {
  if (count === 1 || count === 2 || count === 4 || count === 8)
    return { kind: "integer", bits: (count * 8) as 8 | 16 | 32 | 64, signed: false };
  return { kind: "record", name: `${count} bytes`, sizeBytes: count, alignmentBytes: 1, fields: [] };
}
