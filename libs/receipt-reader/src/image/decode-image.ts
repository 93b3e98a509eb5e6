import heic from 'heic-decode';
import sharp, { type Metadata, type SharpOptions } from 'sharp';
import { UnreadableDocument } from '../unreadable-document';
import { RASTER_SIDE_MAX, type Raster } from './raster';

const PIXELS_MAX = 60_000_000;

/**
 * 'error' refuses truncated images, because half a receipt can look complete with another total. Warnings are
 * ignored.
 */
const OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: PIXELS_MAX, autoOrient: true };

// Each page is decoded once, so a cache of decoded images would only use memory.
sharp.cache(false);
sharp.concurrency(1);

/** An image whose header was read. */
export interface ImageFile {
  /** More than one only for a TIFF; of an animation only the first frame is read. */
  readonly pageCount: number;
  /**
   * Decodes a page, counted from 1, upright by its EXIF data, with at most RASTER_SIDE_MAX pixels on the longer
   * side.
   *
   * @throws UnreadableDocument `too-large`, `damaged`
   */
  decode(number: number): Promise<Raster>;
}

/**
 * Opens a PNG, JPEG, WebP, TIFF or HEIC image.
 *
 * @throws UnreadableDocument `too-large` (before anything is decoded), `damaged`
 */
export async function openImage(bytes: Uint8Array): Promise<ImageFile> {
  if (isHeic(bytes)) return { pageCount: 1, decode: () => decodeHeic(bytes) };
  const metadata = await readHeader(bytes);
  const pageCount = metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1;
  return { pageCount, decode: (number) => decodePage(bytes, number - 1) };
}

function isHeic(bytes: Uint8Array): boolean {
  const brand = Buffer.from(bytes.subarray(4, 12)).toString('latin1');
  return /^ftyp(hei|hev|mif1|msf1)/.test(brand);
}

async function readHeader(bytes: Uint8Array): Promise<Metadata> {
  try {
    // The limit is checked below against the size in the header.
    const metadata = await sharp(bytes, { ...OPTIONS, limitInputPixels: false }).metadata();
    refuseTooLarge(metadata.width, metadata.pageHeight ?? metadata.height);
    return metadata;
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function decodePage(bytes: Uint8Array, page: number): Promise<Raster> {
  try {
    return await toRaster(sharp(bytes, { ...OPTIONS, page }));
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function decodeHeic(bytes: Uint8Array): Promise<Raster> {
  try {
    const images = await heic.all({ buffer: bytes });
    try {
      const [first] = images;
      if (!first) throw new Error('the file contains no image');
      refuseTooLarge(first.width, first.height);
      const { width, height, data } = await first.decode();
      return await toRaster(sharp(data, { raw: { width, height, channels: 4 } }));
    } finally {
      images.dispose();
    }
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function toRaster(image: sharp.Sharp): Promise<Raster> {
  const { data, info } = await image
    .resize({ width: RASTER_SIDE_MAX, height: RASTER_SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: inThreeChannels(data, info.channels) };
}

function inThreeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const result = new Uint8Array((data.length / channels) * 3);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    result[to] = data[from]!;
    result[to + 1] = data[channels > 2 ? from + 1 : from]!;
    result[to + 2] = data[channels > 2 ? from + 2 : from]!;
  }
  return result;
}

function refuseTooLarge(width: number, height: number): void {
  if (width * height <= PIXELS_MAX) return;
  throw new UnreadableDocument('too-large', `The image has ${width} x ${height} pixels.`);
}

function asUnreadable(error: unknown): UnreadableDocument {
  if (error instanceof UnreadableDocument) return error;
  const message = error instanceof Error ? error.message : String(error);
  const reason = /exceeds pixel limit/.test(message) ? 'too-large' : 'damaged';
  return new UnreadableDocument(reason, `The image cannot be decoded: ${message}`);
}
