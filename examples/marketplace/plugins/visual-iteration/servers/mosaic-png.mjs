import { crc32, deflateSync } from 'node:zlib';

const TILES = 4;
const TILE = 32;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG of 4 × 4 colored tiles, one for each two bytes of a 32-byte digest: equal pages, equal pictures. */
export function mosaic(digest) {
  const side = TILES * TILE;
  const rows = [];
  for (let y = 0; y < side; y++) {
    const row = Buffer.alloc(1 + side * 3);
    for (let x = 0; x < side; x++) {
      const tile = Math.floor(y / TILE) * TILES + Math.floor(x / TILE);
      const [a, b] = [digest[tile * 2], digest[tile * 2 + 1]];
      row.set([a, b, (a + b) & 0xff], 1 + x * 3);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
