import type { PrintableDocument } from '../../application/ports/printable-document';
import { TypstPdfRenderer } from './typst-pdf-renderer';

// Runs in a thread of the worker, because rendering blocks.

const renderer = new TypstPdfRenderer();

export function render(document: PrintableDocument): Promise<Uint8Array> {
  return renderer.render(document);
}
