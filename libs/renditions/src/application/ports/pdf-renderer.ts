import type { PrintableDocument } from './printable-document';
import type { PrintableStatement } from './printable-statement';

/** Pages of a document or of a statement of account. */
export type PrintablePages = PrintableDocument | PrintableStatement;

export interface RenderedPages {
  readonly pdf: Uint8Array;
  /** Whether the logo is missing because it cannot be decoded, or is in CMYK. */
  readonly isLogoLeftOut: boolean;
}

export abstract class PdfRenderer {
  /**
   * Returns the pages as a PDF/A-3a: tagged, with embedded fonts, and with the same bytes for the same document on
   * each machine. A character that the fonts do not have is shown as U+FFFD.
   *
   * It blocks the calling thread: about 13 ms for a page, and half a second for 1,000 items. The first call also loads
   * the compiler and the fonts, in about 60 ms. It may be called in a worker thread.
   */
  abstract render(pages: PrintablePages): Promise<RenderedPages>;

  /** Ends the rendering under way, which then rejects. */
  abstract stop(): Promise<void>;
}
