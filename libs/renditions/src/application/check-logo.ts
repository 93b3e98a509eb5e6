import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflate } from 'node:zlib';

/** A logo is embedded in every page and PDF. */
export const LOGO_BYTES_MAX = 512 * 1024;
const PIXELS_MAX = 4_000_000;

export type LogoMediaType = 'image/png' | 'image/jpeg';

/** The form of a logo: the formats that the renderer of PDFs decodes itself, in safe code. */
const FORMATS = 'must be a PNG or JPEG image in RGB or grey';
const SIZE = `must have at most ${PIXELS_MAX / 1_000_000} million pixels`;
const DAMAGED = 'is damaged: save it again, as PNG or JPEG';

interface Header {
  readonly width: number;
  readonly height: number;
}

type Checked = { readonly mediaType: LogoMediaType } | { readonly problem: string };

/**
 * Checks that bytes are an image that documents can show. Reads the structure of the file and inflates bounded parts of
 * it, but no decoder of images runs here.
 */
export async function checkLogo(bytes: Uint8Array): Promise<Checked> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.length > LOGO_BYTES_MAX) return { problem: `must have at most ${LOGO_BYTES_MAX / 1_024} KiB` };
  if (content.subarray(0, 8).equals(PNG)) return checked('image/png', await pngHeader(content));
  if (content.length > 1 && content.readUInt16BE(0) === START_OF_IMAGE)
    return checked('image/jpeg', jpegHeader(content));
  return { problem: FORMATS };
}

function checked(mediaType: LogoMediaType, header: Header | 'other' | null): Checked {
  if (header === null) return { problem: DAMAGED };
  if (header === 'other') return { problem: FORMATS };
  const { width, height } = header;
  if (width === 0 || height === 0) return { problem: DAMAGED };
  return width * height > PIXELS_MAX ? { problem: SIZE } : { mediaType };
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12;
/** Profiles of cameras and screens have a few KiB. The renderer inflates a profile whole, whatever it takes. */
const PROFILE_BYTES_MAX = 1024 * 1024;

/** Null unless every chunk up to the end of the image has its checksum, and the pixels are all there. */
async function pngHeader(content: Buffer): Promise<Header | null> {
  const chunks = pngChunks(content);
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') return null;
  const header = { width: first.data.readUInt32BE(0), height: first.data.readUInt32BE(4) };
  if (header.width * header.height > PIXELS_MAX) return header;
  const dataOf = (name: string) => chunks.flatMap(({ type, data }) => (type === name ? [data] : []));
  const isSound =
    (await isProfile(dataOf('iCCP'))) && (await arePixels(first.data, dataOf('IDAT'), dataOf('PLTE')));
  return isSound ? header : null;
}

interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks up to the end of the image, or up to the first one that is cut or has a wrong checksum. */
function pngChunks(content: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = PNG.length; at + CHUNK_FRAME <= content.length;) {
    const end = at + CHUNK_FRAME + content.readUInt32BE(at);
    if (end > content.length) break;
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) break;
    const type = content.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: content.subarray(at + 8, end - 4) });
    if (type === 'IEND') break;
    at = end;
  }
  return chunks;
}

/** A profile has a name, a zero, the method of compression, and the compressed data. An image has one at most. */
async function isProfile([profile, ...others]: readonly Buffer[]): Promise<boolean> {
  if (!profile) return true;
  if (others.length > 0) return false;
  return (await inflatedSize(profile.subarray(profile.indexOf(0) + 2), PROFILE_BYTES_MAX)) !== null;
}

const PALETTE = 3;
interface Colour {
  readonly channels: number;
  /** The bits that a channel may have. */
  readonly depths: readonly number[];
}
/** By colour type. */
const COLOURS: ReadonlyMap<number, Colour> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [PALETTE, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);
/** First column and row, and the steps to the next ones, of each pass of an interlaced image. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

/** Some writers add bytes after the last row. */
const SPARE_BYTES = 64 * 1024;

/** Each row of a pass has a byte before its pixels. */
async function arePixels(
  header: Buffer,
  data: readonly Buffer[],
  palettes: readonly Buffer[],
): Promise<boolean> {
  const [depth = 0, colourType = 0, , , interlaced] = header.subarray(8);
  const colour = COLOURS.get(colourType);
  if (!colour?.depths.includes(depth) || (colourType === PALETTE && palettes.length === 0)) return false;
  let size = 0;
  for (const [left, top, right, down] of interlaced ? PASSES : WHOLE) {
    const columns = Math.ceil((header.readUInt32BE(0) - left) / right);
    const rows = Math.ceil((header.readUInt32BE(4) - top) / down);
    if (columns > 0 && rows > 0) size += rows * (1 + Math.ceil((columns * colour.channels * depth) / 8));
  }
  const inflated = await inflatedSize(Buffer.concat(data), size + SPARE_BYTES);
  return inflated !== null && inflated >= size;
}

/** Of what is inflated, the bytes that are in memory at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Counts the bytes without keeping them. Null if the data is damaged, or larger than that. */
async function inflatedSize(data: Buffer, sizeMax: number): Promise<number | null> {
  let size = 0;
  const count = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      done(size > sizeMax ? new Error('too large') : null);
    },
  });
  try {
    await pipeline(Readable.from([data]), createInflate({ chunkSize: CHUNK_BYTES }), count);
    return size;
  } catch {
    return null;
  }
}

const START_OF_IMAGE = 0xffd8;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
/** Baseline, extended sequential and progressive frames. The others are rare, and viewers do not show them. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const OTHER_FRAMES: ReadonlySet<number> = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

/** PDF/A does not allow CMYK, which has four components, without a colour profile. */
function jpegHeader(content: Buffer): Header | 'other' | null {
  if (content.lastIndexOf(END_OF_IMAGE) < 0) return null;
  for (let at = 2; at + 10 <= content.length; at += 2 + content.readUInt16BE(at + 2)) {
    if (content[at] !== 0xff) return null;
    const marker = content[at + 1] ?? 0;
    if (OTHER_FRAMES.has(marker)) return 'other';
    if (!FRAMES.has(marker)) continue;
    const [precision, components] = [content[at + 4], content[at + 9]];
    if (precision !== 8 || (components !== 1 && components !== 3)) return 'other';
    return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) };
  }
  return null;
}
