import type { PrintablePages, RenderedPages } from '../../application/ports/pdf-renderer';
import { TypstPdfRenderer } from './typst-pdf-renderer';

// Runs in a thread of the worker, because rendering blocks.

const renderer = new TypstPdfRenderer();

export function render(pages: PrintablePages): Promise<RenderedPages> {
  return renderer.render(pages);
}
