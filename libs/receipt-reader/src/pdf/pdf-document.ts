import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Raster } from '../image/raster';
import type { Page } from '../page';
import type { ReceiptFields } from '../reading';
import { UnreadableDocument } from '../unreadable-document';
import { attachedInvoice } from './attached-invoice';
import { openPdf } from './open-pdf';
import { rasterisePage } from './rasterise-page';
import { PAGES_MAX, textLayer } from './text-layer';
import { isReadable } from './text-quality';

export interface TextLayer {
  /** In order, including pages without text. */
  readonly pages: readonly Page[];
  readonly isReadable: boolean;
  /** Page numbers, from 1, of the pages without text. */
  readonly blankPages: readonly number[];
}

/** An open PDF. Only its first 10 pages are read. */
export class PdfDocument {
  private constructor(private readonly pdf: PDFDocumentProxy) {}

  /**
   * Opens a PDF. The caller must close it.
   *
   * @throws UnreadableDocument `encrypted`, `damaged`, `too-large`
   */
  static async open(bytes: Uint8Array): Promise<PdfDocument> {
    const pdf = await openPdf(bytes);
    if (pdf.numPages > 0) return new PdfDocument(pdf);
    await pdf.loadingTask.destroy();
    throw new UnreadableDocument('damaged', 'the PDF has no pages');
  }

  get pageCount(): number {
    return Math.min(this.pdf.numPages, PAGES_MAX);
  }

  attachedInvoice(today: string): Promise<ReceiptFields | undefined> {
    return attachedInvoice(this.pdf, today);
  }

  async textLayer(): Promise<TextLayer> {
    const pages = await textLayer(this.pdf, this.pageCount);
    const blankPages = pages.flatMap(({ spans }, index) => (spans.length === 0 ? [index + 1] : []));
    return { pages, isReadable: isReadable(pages), blankPages };
  }

  /**
   * Renders pages as pictures, on demand.
   *
   * @throws UnreadableDocument `damaged`
   */
  async *rasters(numbers: readonly number[]): AsyncGenerator<Raster> {
    for (const number of numbers) yield await rasterisePage(this.pdf, number);
  }

  async close(): Promise<void> {
    await this.pdf.loadingTask.destroy();
  }
}
