import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { countOf } from '../fields/text';

/** Sample size for detecting the encoding. */
const SAMPLE_BYTES = 64 * 1024;
const WIDE_SAMPLE_BYTES = 1_024;
const WIDE_BYTES_MIN = 16;
/** So many valid characters that are not ASCII to one that is damaged. */
const DAMAGED_SHARE = 5;
/**
 * First Hebrew letter of windows-1255. In windows-1252 these bytes are accented small letters, which rarely
 * stand next to each other.
 */
const HEBREW_LETTER_MIN = 0xe0;
const HEBREW_LETTER_MAX = 0xfa;

/**
 * Decodes bytes by their byte order mark, by their declared encoding, as UTF-8 if they are valid, or as
 * windows-1255 or windows-1252 depending on the letters. It never fails: undecodable bytes become U+FFFD.
 *
 * @param declared the name of the encoding that the document declares
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = encodingOfMark(bytes) ?? wideEncoding(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  if (isUtf8(bytes)) return decode(bytes, isUtf7Bit(declared) ? declared! : 'utf-8');
  return decode(bytes, singleByte(declared) ?? damagedUtf8(bytes) ?? guessed(bytes));
}

/** Recognises UTF-8 in which few characters are damaged. In another encoding, hardly any letter would be valid. */
function damagedUtf8(bytes: Uint8Array): string | undefined {
  const text = decode(bytes.subarray(0, SAMPLE_BYTES), 'utf-8');
  const damaged = countOf(text, /\ufffd/g);
  return countOf(text, /[^\0-\x7f\ufffd]/g) > DAMAGED_SHARE * damaged ? 'utf-8' : undefined;
}

/** Returns the encoding of the byte order mark, which overrides any declaration. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Detects UTF-16 without a byte order mark: about every second byte of Latin text is zero. */
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

/** ISO-2022-JP uses only ASCII bytes, so it looks like UTF-8. */
function isUtf7Bit(declared: string | undefined): boolean {
  return declared?.toLowerCase() === 'iso-2022-jp';
}

/** Returns the declared encoding if it is known and the bytes do not contradict it. */
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
