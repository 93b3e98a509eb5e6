import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Enough of the beginning to tell how a text is encoded. */
const SAMPLE_BYTES = 64 * 1024;
const WIDE_SAMPLE_BYTES = 1_024;
const WIDE_BYTES_MIN = 16;
/** The letters of Hebrew in windows-1255; in windows-1252 they are small letters with accents, which stand alone. */
const HEBREW_LETTER_MIN = 0xe0;
const HEBREW_LETTER_MAX = 0xfa;

/**
 * Decodes bytes by their byte order mark, their declared encoding, as UTF-8 if they are valid, or as windows-1255 or
 * windows-1252 by the letters. Never fails; undecodable bytes become U+FFFD.
 *
 * @param declared the name of an encoding in the document itself
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = encodingOfMark(bytes) ?? wideEncoding(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  if (isUtf8(bytes)) return decode(bytes, isUtf7Bit(declared) ? declared! : 'utf-8');
  return decode(bytes, singleByte(declared) ?? guessed(bytes));
}

/** By the byte order mark, which says more than any declaration. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: about every second byte of Latin letters and digits is zero. */
export function wideEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, WIDE_SAMPLE_BYTES);
  if (sample.length < WIDE_BYTES_MIN) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 5;
  if (odd > many && even < many / 10) return 'utf-16le';
  if (even > many && odd < many / 10) return 'utf-16be';
  return undefined;
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** ISO-2022-JP is ASCII by its bytes, and so looks like UTF-8. */
function isUtf7Bit(declared: string | undefined): boolean {
  return declared?.toLowerCase() === 'iso-2022-jp';
}

/** The declared encoding, where it is known and is none that the bytes have been found not to be. */
function singleByte(declared: string | undefined): string | undefined {
  if (declared === undefined || /^(utf|ucs|unicode)/i.test(declared)) return undefined;
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return undefined;
  }
}

function guessed(bytes: Uint8Array): string {
  let inWords = 0;
  let alone = 0;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (const [index, byte] of sample.entries()) {
    if (byte < 0x80) continue;
    const hasNeighbour = isHebrewLetter(sample[index - 1]) || isHebrewLetter(sample[index + 1]);
    if (isHebrewLetter(byte) && hasNeighbour) inWords++;
    else alone++;
  }
  return inWords > alone ? 'windows-1255' : 'windows-1252';
}

function isHebrewLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= HEBREW_LETTER_MIN && byte <= HEBREW_LETTER_MAX;
}
