// Messages of Nsight Compute's report files, as far as they are read: fields by number, decoded by Protocol Buffers' own reader.
import { BinaryReader } from "@bufbuild/protobuf/wire";

type Kind = "string" | "bytes" | "number" | "double" | "float";

/** A field that may be left out, or come several times. */
export interface Field {
  readonly number: number;
  readonly kind: Kind;
}

/** The values of every field of a message that `fields` names, by number. Throws where the bytes are no message. */
export function decode(
  bytes: Uint8Array,
  fields: readonly Field[],
): ReadonlyMap<number, readonly (string | number | Uint8Array)[]> {
  const reader = new BinaryReader(bytes);
  const values = new Map<number, (string | number | Uint8Array)[]>();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = fields.find((each) => each.number === number);
    if (field === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    const known = values.get(number) ?? [];
    values.set(number, known);
    known.push(readValue(reader, field.kind));
  }
  return values;
}

function readValue(reader: BinaryReader, kind: Kind): string | number | Uint8Array {
  switch (kind) {
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    case "number":
      // Addresses of a GPU's code need 49 bits.
      return Number(reader.uint64());
    case "double":
      return reader.double();
    case "float":
      return reader.float();
  }
}

/** A message by the names of its fields. */
export class Message {
  private readonly values: ReturnType<typeof decode>;

  constructor(bytes: Uint8Array, fields: readonly Field[]) {
    this.values = decode(bytes, fields);
  }

  number({ number }: Field): number | null {
    const value = this.values.get(number)?.at(-1);
    return typeof value === "number" ? value : null;
  }

  text({ number }: Field): string {
    const value = this.values.get(number)?.at(-1);
    return typeof value === "string" ? value : "";
  }

  texts({ number }: Field): readonly string[] {
    return (this.values.get(number) ?? []).filter((value) => typeof value === "string");
  }

  bytes({ number }: Field): Uint8Array | null {
    const value = this.values.get(number)?.at(-1);
    return value instanceof Uint8Array ? value : null;
  }

  all({ number }: Field): readonly Uint8Array[] {
    return (this.values.get(number) ?? []).filter((value) => value instanceof Uint8Array);
  }
}
