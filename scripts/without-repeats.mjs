// Takes out of a file what repeats at any distance: the archive's own compression looks back no more than 32 kB, and a row of a grammar's tables
// often has its like further away. `server/src/host/repeats.ts` puts it back, and says how the result is laid out.

const leastCopyBytes = 12;
/** As many earlier places are tried for each, the latest first. */
const mostTried = 16;
const hashBits = 20;

/** `bytes` with copies told by length and distance. */
export function withoutRepeats(bytes) {
  const seen = earlierPlaces(bytes);
  const streams = { kept: [], lengths: [], distances: [] };
  const literals = [];
  let at = 0;
  let keptFrom = 0;
  while (at < bytes.length) {
    const { length, from } = seen.longestAt(at);
    if (length < leastCopyBytes) {
      seen.add(at++);
      continue;
    }
    writeNumber(streams.kept, at - keptFrom);
    writeNumber(streams.lengths, length);
    writeNumber(streams.distances, at - from);
    literals.push(bytes.subarray(keptFrom, at));
    for (const end = at + length; at < end; at++) seen.add(at);
    keptFrom = at;
  }
  literals.push(bytes.subarray(keptFrom));
  const sizes = [bytes, ...Object.values(streams)].map(({ length }) => length);
  return Buffer.concat([
    Buffer.from(Uint32Array.from(sizes).buffer),
    ...Object.values(streams).map((stream) => Buffer.from(stream)),
    ...literals,
  ]);
}

/** Places by a hash of the bytes that begin there. */
function earlierPlaces(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const latest = new Int32Array(1 << hashBits).fill(-1);
  const before = new Int32Array(bytes.length);
  const hashable = bytes.length - leastCopyBytes;
  const hashAt = (at) => {
    let hash = 0;
    for (let each = at; each < at + leastCopyBytes; each += 4) {
      hash = Math.imul(hash ^ view.getInt32(each, true), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> (32 - hashBits);
  };
  const alikeFrom = (from, at) => {
    let length = 0;
    while (at + length < bytes.length && bytes[from + length] === bytes[at + length]) length++;
    return length;
  };
  return {
    add: (at) => {
      if (at > hashable) return;
      const hash = hashAt(at);
      before[at] = latest[hash];
      latest[hash] = at;
    },
    longestAt: (at) => {
      let best = { length: 0, from: -1 };
      if (at > hashable) return best;
      let from = latest[hashAt(at)];
      for (let tried = 0; from >= 0 && tried < mostTried; tried++, from = before[from]) {
        const length = alikeFrom(from, at);
        if (length > best.length) best = { length, from };
      }
      return best;
    },
  };
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function writeNumber(stream, value) {
  let rest = value;
  for (; rest > 127; rest >>>= 7) stream.push((rest & 127) | 128);
  stream.push(rest);
}
