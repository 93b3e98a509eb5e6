import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Raster } from '../image/raster';
import type { Page } from '../page';
import type { ReceiptFields } from '../reading';
import { UnreadableDocument } from '../unreadable-document';
import { attachedInvoice } from './attached-invoice';
import { openPdf } from './open-pdf';
import { rasterisePage } from './rasterise-page';
import { textLayer } from './text-layer';
import { isReadable } from './text-quality';

export interface TextLayer {
  /** The pages by their numbers, from 1, including pages without text. */
  readonly pages: ReadonlyMap<number, Page>;
  readonly isReadable: boolean;
}

/** An open PDF. */
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
    return this.pdf.numPages;
  }

  attachedInvoice(): Promise<ReceiptFields | undefined> {
    return attachedInvoice(this.pdf);
  }

  /** @param goesOn called after each page; false ends the reading */
  async textLayer(numbers: readonly number[], goesOn: () => boolean): Promise<TextLayer> {
    const pages = await textLayer(this.pdf, numbers, goesOn);
    return { pages, isReadable: isReadable([...pages.values()]) };
  }

  /**
   * Renders a page as a picture.
   *
   * @throws UnreadableDocument `damaged`
   */
  raster(number: number): Promise<Raster> {
    return rasterisePage(this.pdf, number);
  }

  async close(): Promise<void> {
    await this.pdf.loadingTask.destroy();
  }
}
