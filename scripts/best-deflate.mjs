// Loaded into vsce, which packs with zlib's defaults. Less memory means smaller blocks, each with codes of its own: the tables of the grammar
// become 12 kB smaller by that, and nothing becomes larger by more than 1 kB.
import zlib from "node:zlib";

const { DeflateRaw, deflateRaw } = zlib;
const best = { level: 9, memLevel: 6 };

zlib.DeflateRaw = function BestDeflateRaw() {
  return new DeflateRaw(best);
};
zlib.deflateRaw = (buffer, callback) => deflateRaw(buffer, best, callback);
