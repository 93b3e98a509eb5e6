import { Readable } from 'node:stream';
import { createBrotliDecompress, createInflate } from 'node:zlib';
import { base85Digits, type ByteDecoder, hexDigits, lzwCodes, runLengths } from './byte-filters';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const CHUNK_BYTES = 256 * 1024;
/** Input of filters that decode byte by byte, so that the output of one step is small too. */
const STEP_BYTES = 1_024;

interface Filter {
  readonly decode: (input: Chunks) => AsyncIterable<Uint8Array>;
  /** Maximum number of bytes that one byte becomes. */
  readonly growth: number;
}

/** LZWDecode with the parameter `/EarlyChange 0`. */
const LATE_LZW = 'LZWDecode late';

const FILTERS: Readonly<Record<string, Filter>> = {
  FlateDecode: {
    decode: (input) => throughZlib(input, createInflate({ chunkSize: CHUNK_BYTES })),
    growth: 1_032,
  },
  // A few bytes can repeat megabytes.
  BrotliDecode: {
    decode: (input) => throughZlib(input, createBrotliDecompress({ chunkSize: CHUNK_BYTES })),
    growth: Infinity,
  },
  // Codes of 12 bits for sequences of up to 3,838 bytes.
  LZWDecode: { decode: (input) => byteByByte(input, lzwCodes(1)), growth: 2_560 },
  [LATE_LZW]: { decode: (input) => byteByByte(input, lzwCodes(0)), growth: 2_560 },
  RunLengthDecode: { decode: (input) => byteByByte(input, runLengths()), growth: 64 },
  ASCII85Decode: { decode: (input) => byteByByte(input, base85Digits()), growth: 4 },
  ASCIIHexDecode: { decode: (input) => byteByByte(input, hexDigits()), growth: 1 },
  Crypt: { decode: (input) => Readable.from(input), growth: 1 },
};

/** Returns the filters before the first one that is not applied here, such as that of an image. */
function appliedOf(filters: readonly string[]): Filter[] {
  const end = filters.findIndex((name) => !Object.hasOwn(FILTERS, name));
  return (end === -1 ? filters : filters.slice(0, end)).map((name) => FILTERS[name]!);
}

/** Returns the maximum size of data of this size after these filters. */
export function largestSize(size: number, filters: readonly string[]): number {
  return appliedOf(filters).reduce((largest, { growth }) => largest * growth, size);
}

/**
 * Returns the filters for each way to decode them: by LZW with and without early change. The parameters of
 * filters are not parsed, because they may be in other objects, which may be compressed themselves.
 */
export function variantsOf(filters: readonly string[]): readonly (readonly string[])[] {
  return filters.reduce<readonly (readonly string[])[]>(
    (variants, name) =>
      variants.flatMap((before) =>
        (name === 'LZWDecode' ? [name, LATE_LZW] : [name]).map((each) => [...before, each]),
      ),
    [[]],
  );
}

/**
 * Decodes data by a chain of filters, piece by piece. It ends at the end mark of the data, which may be
 * before the end of the input, and where the data is damaged. Filters of images are not applied.
 */
export function decodedBytes(data: Uint8Array, filters: readonly string[]): Chunks {
  return appliedOf(filters).reduce<Chunks>((input, { decode }) => decode(input), sliced(data));
}

function* sliced(data: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < data.length; from += CHUNK_BYTES) yield data.subarray(from, from + CHUNK_BYTES);
}

async function* throughZlib(
  input: Chunks,
  decoder: ReturnType<typeof createInflate | typeof createBrotliDecompress>,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(input, { objectMode: false });
  source.on('error', (error) => decoder.destroy(error));
  try {
    for await (const chunk of source.pipe(decoder)) yield chunk as Uint8Array;
  } catch {
    // The data is damaged here. Readers of PDFs use what came before.
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

async function* byteByByte(input: Chunks, decode: ByteDecoder): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; from += STEP_BYTES) {
      const { output, isEnd } = decodedStep(chunk.subarray(from, from + STEP_BYTES), decode);
      yield output;
      if (isEnd) return;
    }
  }
}

function decodedStep(
  input: Uint8Array,
  decode: ByteDecoder,
): { readonly output: Uint8Array; readonly isEnd: boolean } {
  let output = new Uint8Array(4 * STEP_BYTES);
  let length = 0;
  const emit = (byte: number) => {
    if (length === output.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(output);
      output = larger;
    }
    output[length++] = byte;
  };
  const isEnd = input.some((byte) => decode(byte, emit));
  return { output: output.subarray(0, length), isEnd };
}
