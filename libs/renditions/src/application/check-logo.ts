import { crc32 } from 'node:zlib';

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
 * Checks that bytes are an image that documents can show. Reads the structure of the file and decodes no pixel, so that
 * nothing of a stranger's image runs here.
 */
export function checkLogo(bytes: Uint8Array): Checked {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.length > LOGO_BYTES_MAX) return { problem: `must have at most ${LOGO_BYTES_MAX / 1_024} KiB` };
  if (content.subarray(0, 8).equals(PNG)) return checked('image/png', pngHeader(content));
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

/** Null unless every chunk up to the end of the image has its checksum. */
function pngHeader(content: Buffer): Header | null {
  let header: Header | null = null;
  for (let at = PNG.length; at + CHUNK_FRAME <= content.length;) {
    const end = at + CHUNK_FRAME + content.readUInt32BE(at);
    if (end > content.length) return null;
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return null;
    const type = content.toString('latin1', at + 4, at + 8);
    if (at === PNG.length) {
      if (type !== 'IHDR' || end - at !== CHUNK_FRAME + 13) return null;
      header = { width: content.readUInt32BE(at + 8), height: content.readUInt32BE(at + 12) };
    }
    if (type === 'IEND') return header;
    at = end;
  }
  return null;
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
