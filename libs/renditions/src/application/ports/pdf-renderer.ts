import type { PrintableDocument } from './printable-document';
import type { PrintableStatement } from './printable-statement';

/** Pages of a document or of a statement of account. */
export type PrintablePages = PrintableDocument | PrintableStatement;

export abstract class PdfRenderer {
  /**
   * Returns the pages as a PDF/A-3a: tagged, with embedded fonts, and with the same bytes for the same document on
   * each machine. A character that the fonts do not have is shown as U+FFFD.
   *
   * It blocks the calling thread: about 13 ms for a page, and half a second for 1,000 items. The first call also loads
   * the compiler and the fonts, in about 60 ms. It may be called in a worker thread.
   *
   * @throws Error if the logo is not an image of its media type, or is in CMYK
   */
  abstract render(pages: PrintablePages): Promise<Uint8Array>;

  /** Ends the rendering under way, which then rejects. */
  abstract stop(): Promise<void>;
}
