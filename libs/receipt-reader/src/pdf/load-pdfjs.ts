import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Loaded with the first PDF: it is large, and reading an XML needs none of it. */
export function loadPdfjs(): Promise<typeof Pdfjs> {
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
