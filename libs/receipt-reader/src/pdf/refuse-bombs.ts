import { inflateSync } from 'node:zlib';
import { UnreadableDocument } from '../unreadable-document';

/** Maximum decompressed size of a page, font or attachment. */
const INFLATED_BYTES_MAX = 64 * 1024 * 1024;
/** Deflate compresses at most to 1/1032, so smaller streams cannot exceed the limit. */
const DEFLATED_BYTES_MIN = INFLATED_BYTES_MAX / 1_032;
/** No legitimate stream dictionary is longer. */
const DICTIONARY_BYTES = 600;
const STREAMS_MAX = 20_000;
const FLATE = /\/(?:FlateDecode|Fl)\b/g;

/**
 * Refuses a PDF with a decompression bomb before pdfjs allocates memory for it. Images are skipped, because
 * pdfjs decompresses no more than their pixels.
 *
 * @throws UnreadableDocument `too-large`
 */
export function refuseBombs(pdf: Buffer): void {
  let at = pdf.indexOf('stream');
  for (let streams = 0; at !== -1 && streams < STREAMS_MAX; streams++) {
    const end = pdf.indexOf('endstream', at);
    if (end === -1) return;
    if (isBomb(dictionaryBefore(pdf, at), pdf.subarray(at + 'stream'.length, end)))
      throw new UnreadableDocument('too-large', 'the PDF is too large when decompressed');
    at = pdf.indexOf('stream', end + 'endstream'.length);
  }
}

function dictionaryBefore(pdf: Buffer, at: number): string {
  const before = pdf.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

function isBomb(dictionary: string, data: Buffer): boolean {
  const times = dictionary.match(FLATE)?.length ?? 0;
  if (times > 1) return true;
  if (times === 0 || data.length < DEFLATED_BYTES_MIN || /\/Subtype\s*\/Image\b/.test(dictionary))
    return false;
  try {
    inflateSync(data.subarray(lineEnd(data)), { maxOutputLength: INFLATED_BYTES_MAX });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/** Length of the line end after the keyword `stream`. */
function lineEnd(data: Buffer): number {
  if (data[0] === 0x0d && data[1] === 0x0a) return 2;
  return data[0] === 0x0a || data[0] === 0x0d ? 1 : 0;
}
