// Draws client/icon.png: a bank map of our own, 16 banks wide. Above, a column that every lane hits (a conflict); below, one full row.
// PNG is deflate and checksums: Node has both.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const side = 128;
const columns = 8;
const rows = 7;
const cell = 12;
const gap = 2;
const left = (side - columns * (cell + gap) + gap) / 2;
const top = (side - rows * (cell + gap) + gap) / 2;

const background = [24, 28, 36, 255];
const idle = [52, 60, 74, 255];
const conflict = [241, 92, 88, 255];
const perfect = [118, 185, 71, 255];

const pixels = Buffer.alloc(side * side * 4);
for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) pixels.set(colourAt(x, y), (y * side + x) * 4);
writeFileSync(fileURLToPath(new URL("../client/icon.png", import.meta.url)), png(pixels));

function colourAt(x, y) {
  if (isOutsideCorner(x, y)) return [0, 0, 0, 0];
  const column = Math.floor((x - left) / (cell + gap));
  const row = Math.floor((y - top) / (cell + gap));
  const isCell =
    column >= 0 &&
    column < columns &&
    row >= 0 &&
    row < rows &&
    (x - left) % (cell + gap) < cell &&
    (y - top) % (cell + gap) < cell;
  if (!isCell) return background;
  if (row === rows - 1) return perfect;
  return column === 2 ? conflict : idle;
}

function isOutsideCorner(x, y) {
  const radius = 20;
  const nearX = Math.max(radius - x - 0.5, x + 0.5 - (side - radius), 0);
  const nearY = Math.max(radius - y - 0.5, y + 0.5 - (side - radius), 0);
  return Math.hypot(nearX, nearY) > radius;
}

function png(rgba) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const lines = Buffer.alloc(side * (side * 4 + 1));
  for (let y = 0; y < side; y++) rgba.copy(lines, y * (side * 4 + 1) + 1, y * side * 4, (y + 1) * side * 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(lines, { level: 9 });
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
