import { UnreadableDocument } from '../unreadable-document';
import { decodedBytes, largestSize, variantsOf } from './decoded-bytes';
import { PdfMarks } from './pdf-marks';
import { parseFilters, parseStreamDictionary, type StreamDictionary } from './stream-dictionary';

const MIB = 1024 * 1024;
/** Maximum decompressed size of one page, font or attachment, and of all of them. */
const STREAM_BYTES_MAX = 64 * MIB;
const TOTAL_BYTES_MAX = 256 * MIB;
/** Streams that cannot become larger are not measured. Most streams are smaller. */
const MEASURED_FROM_BYTES = 4 * MIB;
/** No legitimate dictionary of a stream is longer. */
const DICTIONARY_BYTES = 16 * 1024;
/** Limits the work. No receipt has as many. */
const STREAMS_MAX = 50_000;
const FILTER_LIST_BYTES = 1_024;
/** Each doubles the work. Nothing is compressed by LZW more often. */
const LZW_FILTERS_MAX = 2;
/** Between the dictionary and the keyword `stream` is white space, rarely a comment. */
const GAP_BYTES = 100;

/** PDF allows no more. pdfjs would read the bits of each component one by one, however many the image states. */
const COMPONENT_BITS_MAX = 16;

interface PdfStream {
  readonly dictionary: StreamDictionary;
  /** Index of the first byte of the data. */
  readonly begin: number;
}

/**
 * Refuses a PDF with a decompression bomb before pdfjs allocates memory for it. Streams are decompressed
 * piece by piece and measured. Images are skipped, because their size is limited by their pixels. The data of
 * encrypted PDFs cannot be measured.
 *
 * @throws UnreadableDocument `too-large`, or `damaged` for an image that would take pdfjs forever
 */
export async function refuseBombs(pdf: Buffer): Promise<void> {
  const marks = new PdfMarks(pdf);
  let total = 0;
  let streams = 0;
  for (const stream of streamsOf(pdf)) {
    if ((stream.dictionary.bitsPerComponent ?? 0) > COMPONENT_BITS_MAX)
      throw new UnreadableDocument('damaged', 'an image of the PDF states too many bits for a component');
    const size = await sizeOf(stream, pdf, marks);
    total += size;
    streams += 1;
    if (size > STREAM_BYTES_MAX || total > TOTAL_BYTES_MAX || streams > STREAMS_MAX)
      throw new UnreadableDocument('too-large', 'the PDF is too large when decompressed');
  }
}

/** Decompressed size in bytes, 0 for streams that are not measured. */
async function sizeOf(stream: PdfStream, pdf: Buffer, marks: PdfMarks): Promise<number> {
  if (stream.dictionary.isImage) return 0;
  const filters = filtersOf(stream, pdf, marks);
  const data = dataOf(stream, filters, pdf, marks);
  if (largestSize(data.length, filters) <= MEASURED_FROM_BYTES) return 0;
  if (filters.filter((name) => name === 'LZWDecode').length > LZW_FILTERS_MAX) return Infinity;
  let largest = 0;
  for (const variant of variantsOf(filters)) largest = Math.max(largest, await decodedSize(data, variant));
  return largest;
}

function* streamsOf(pdf: Buffer): Generator<PdfStream> {
  let searched = 0;
  for (let at = pdf.indexOf('stream'); at !== -1; at = pdf.indexOf('stream', searched)) {
    const begin = at + 'stream'.length;
    const dictionary = dictionaryBefore(pdf, Math.max(searched, at - DICTIONARY_BYTES), at);
    if (dictionary !== undefined)
      yield {
        dictionary: parseStreamDictionary(dictionary),
        begin: begin + lineEnd(pdf, begin),
      };
    searched = begin;
  }
}

/** Undefined if the keyword is not that of a stream. */
function dictionaryBefore(pdf: Buffer, from: number, to: number): string | undefined {
  if (!pdf.toString('latin1', Math.max(from, to - GAP_BYTES), to).includes('>>')) return undefined;
  const before = pdf.toString('latin1', from, to);
  return before.slice(beginOfObject(before));
}

/** Index of the dictionary after the last keyword `obj`. */
function beginOfObject(before: string): number {
  let at = before.lastIndexOf('obj');
  while (at > 0 && !isDictionary(before, at + 'obj'.length)) at = before.lastIndexOf('obj', at - 1);
  return at === -1 ? 0 : at + 'obj'.length;
}

const isDictionary = (text: string, at: number): boolean =>
  text
    .slice(at, at + GAP_BYTES)
    .trimStart()
    .startsWith('<<');

/** Length of the line end after the keyword `stream`. */
function lineEnd(pdf: Buffer, at: number): number {
  if (pdf[at] === 0x0d && pdf[at + 1] === 0x0a) return 2;
  return pdf[at] === 0x0a || pdf[at] === 0x0d ? 1 : 0;
}

/**
 * The stated length counts if the keyword `endstream` confirms it. Otherwise deflate data may reach to the end
 * of the file, because it has its own end mark and may contain the keyword.
 */
function dataOf(
  { dictionary, begin }: PdfStream,
  filters: readonly string[],
  pdf: Buffer,
  marks: PdfMarks,
): Buffer {
  const { lengthReference, length = Number(objectText(pdf, lengthReference, marks)) } = dictionary;
  const rest = pdf.subarray(begin);
  if (Number.isSafeInteger(length) && length >= 0 && isEnd(rest, length)) return rest.subarray(0, length);
  if (filters[0] === 'FlateDecode') return rest;
  const end = marks.endAfter(begin);
  return end === -1 ? rest : pdf.subarray(begin, end);
}

function isEnd(rest: Buffer, length: number): boolean {
  const after = rest.toString('latin1', length, length + 2 * 'endstream'.length);
  return after.trimStart().startsWith('endstream');
}

/** Filters that are not found are assumed to be FlateDecode, the most frequent one. */
function filtersOf({ dictionary }: PdfStream, pdf: Buffer, marks: PdfMarks): readonly string[] {
  const { filters, filterReference } = dictionary;
  const named = filters.length > 0 ? filters : parseFilters(objectText(pdf, filterReference, marks));
  return named.length > 0 ? named : ['FlateDecode'];
}

/** The text of a short object, empty if it is not found. */
function objectText(pdf: Buffer, number: number | undefined, marks: PdfMarks): string {
  const at = number === undefined ? -1 : marks.object(number);
  if (at === -1) return '';
  const text = pdf.toString('latin1', at, at + FILTER_LIST_BYTES);
  return text.slice(text.indexOf('obj') + 'obj'.length).split('endobj', 1)[0] ?? '';
}

/** Decompressed size in bytes; at least one more than the limit for larger data. */
async function decodedSize(data: Uint8Array, filters: readonly string[]): Promise<number> {
  let size = 0;
  for await (const chunk of decodedBytes(data, filters)) {
    size += chunk.length;
    if (size > STREAM_BYTES_MAX) break;
  }
  return size;
}
