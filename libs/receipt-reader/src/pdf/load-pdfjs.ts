import 'core-js/actual/array-buffer/transfer-to-fixed-length';
import 'core-js/actual/promise/with-resolvers';
import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import { BoundedDecompression } from './bounded-decompression';

/**
 * Loads pdfjs on demand: it is large, and XML documents do not need it. pdfjs is written for Node 22; core-js
 * adds the features that Node 20 lacks.
 */
export function loadPdfjs(): Promise<typeof Pdfjs> {
  globalThis.DecompressionStream = BoundedDecompression as unknown as typeof DecompressionStream;
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
