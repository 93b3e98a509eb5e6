/** Bytes of one entry of the table directory, and of one of the list of character maps. */
const TABLE_ENTRY = 16;
const MAP_ENTRY = 8;
/** Maps the code points up to U+FFFF. */
const SEGMENTS = 4;
const CODE_POINT_MAX = 0xffff;

/**
 * Returns the code points up to U+FFFF that a TrueType font has glyphs for.
 *
 * @throws Error if it has no character map of format 4
 */
export function characterMap(font: Buffer): ReadonlySet<number> {
  const map = segmentMap(tableOf(font, 'cmap'));
  const size = map.readUInt16BE(6);
  const codePoints = new Set<number>();
  for (let at = 0; at < size; at += 2) {
    const end = map.readUInt16BE(14 + at);
    const start = map.readUInt16BE(16 + size + at);
    const delta = map.readUInt16BE(16 + 2 * size + at);
    const offsetAt = 16 + 3 * size + at;
    for (let code = start; code <= end && code < CODE_POINT_MAX; code += 1) {
      const glyph = glyphOf(map, offsetAt, code - start) ?? code;
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) codePoints.add(code);
    }
  }
  return codePoints;
}

/** Null if the segment has no list of glyphs. */
function glyphOf(map: Buffer, offsetAt: number, index: number): number | null {
  const offset = map.readUInt16BE(offsetAt);
  return offset === 0 ? null : map.readUInt16BE(offsetAt + offset + 2 * index);
}

function tableOf(font: Buffer, name: string): Buffer {
  for (let at = 12; at < 12 + font.readUInt16BE(4) * TABLE_ENTRY; at += TABLE_ENTRY) {
    if (font.toString('latin1', at, at + 4) !== name) continue;
    return font.subarray(font.readUInt32BE(at + 8));
  }
  throw new Error(`the font has no table ${name}`);
}

function segmentMap(table: Buffer): Buffer {
  for (let at = 4; at < 4 + table.readUInt16BE(2) * MAP_ENTRY; at += MAP_ENTRY) {
    const map = table.subarray(table.readUInt32BE(at + 4));
    if (map.readUInt16BE(0) === SEGMENTS) return map;
  }
  throw new Error('the font has no character map of format 4');
}
