import 'core-js/actual/array-buffer/transfer-to-fixed-length';
import 'core-js/actual/promise/with-resolvers';
import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * Loaded with the first PDF: it is large, and reading an XML needs none of it. It is written for Node 22; core-js adds
 * what Node 20 lacks of that, and changes nothing where it is there.
 */
export function loadPdfjs(): Promise<typeof Pdfjs> {
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
