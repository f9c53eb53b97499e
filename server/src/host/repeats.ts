// Bytes from which the build took what repeats (`scripts/without-repeats.mjs`), made whole again.

/**
 * The whole bytes. `packed` begins with four numbers of 32 bits, little-endian: the length of the whole, and those of three streams of numbers,
 * each of seven bits a byte, that follow: how many bytes of the rest come next, how many are copied behind them, and from how far back.
 */
export function withRepeats(packed: Uint8Array): Uint8Array {
  const header = new DataView(packed.buffer, packed.byteOffset);
  const [wholeBytes = 0, ...streamBytes] = [0, 4, 8, 12].map((offset) => header.getUint32(offset, true));
  const streams: number[][] = [];
  let read = 16;
  for (const bytes of streamBytes) {
    streams.push(numbersOf(packed.subarray(read, read + bytes)));
    read += bytes;
  }
  const [kept = [], lengths = [], distances = []] = streams;
  const whole = new Uint8Array(wholeBytes);
  let at = 0;
  for (let index = 0; index < kept.length; index++) {
    for (let left = kept[index] ?? 0; left > 0; left--) whole[at++] = packed[read++] ?? 0;
    at = copy(whole, at, lengths[index] ?? 0, distances[index] ?? 0);
  }
  whole.set(packed.subarray(read), at);
  return whole;
}

/** Where the copy ends. One that reaches into itself repeats what it has copied so far, so it is made in pieces that grow. */
function copy(whole: Uint8Array, start: number, length: number, distance: number): number {
  const from = start - distance;
  const end = start + length;
  let at = start;
  while (at < end) {
    const bytes = Math.min(end - at, at - from);
    whole.copyWithin(at, from, from + bytes);
    at += bytes;
  }
  return end;
}

function numbersOf(stream: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const byte of stream) {
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte < 128) {
      numbers.push(value);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
}
