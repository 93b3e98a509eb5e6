import { brotliDecompressSync, createBrotliDecompress, createInflate, inflateSync } from 'node:zlib';

const MIB = 1024 * 1024;
/** Enough for an image of 60 megapixels in CMYK. The rest is cut off. */
const BYTES_MAX = 256 * MIB;
/** Larger data is measured before it is decompressed. */
const SMALL_BYTES_MAX = 4 * MIB;
const CHUNK_BYTES = 256 * 1024;

const FORMATS = {
  deflate: { whole: inflateSync, piecewise: createInflate },
  brotli: { whole: brotliDecompressSync, piecewise: createBrotliDecompress },
};

type Format = keyof typeof FORMATS;

/**
 * Replaces `DecompressionStream`, by which pdfjs decompresses streams of PDFs, including those of encrypted
 * PDFs and of images. The result is limited, and takes its size in memory once instead of twice.
 */
export class BoundedDecompression extends TransformStream<Uint8Array, Uint8Array> {
  constructor(format: Format) {
    super({
      transform: async (data, controller) => controller.enqueue(await decompressed(data, format)),
    });
  }
}

/** @throws Error for damaged data; pdfjs then decompresses what is before the damage */
async function decompressed(data: Uint8Array, format: Format): Promise<Uint8Array> {
  if (data.length <= SMALL_BYTES_MAX) {
    try {
      // A copy, because pdfjs transfers the memory, and Node shares that of small buffers.
      return new Uint8Array(FORMATS[format].whole(data, { maxOutputLength: SMALL_BYTES_MAX }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    }
  }
  let size = 0;
  for await (const chunk of pieces(data, format)) size += chunk.length;
  const result = new Uint8Array(size);
  let at = 0;
  for await (const chunk of pieces(data, format)) {
    result.set(chunk, at);
    at += chunk.length;
  }
  return result;
}

/** The decompressed data up to the limit. */
async function* pieces(data: Uint8Array, format: Format): AsyncGenerator<Uint8Array> {
  const decoder = FORMATS[format].piecewise({ chunkSize: CHUNK_BYTES });
  decoder.end(data);
  let left = BYTES_MAX;
  for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
    yield chunk.length <= left ? chunk : chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) break;
  }
}
