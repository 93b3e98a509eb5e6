/**
 * A piece of text on a page (a word, a cell or a part of a line) in reading order (Hebrew in logical order).
 * The box is upright. Its unit is that of the page: pixels of an image, points of a PDF, columns and rows of
 * plain text.
 */
export interface Span {
  readonly text: string;
  /** Left edge. */
  readonly x: number;
  /** Upper edge; y grows downwards. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Confidence of the OCR engine, 0 to 1. It is 1 for text that was not recognised from an image. */
  readonly confidence: number;
  /** The text that a second OCR engine read in the same place, if it differs. */
  readonly alternative?: string;
}

/** One page, its spans in no particular order. */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly spans: readonly Span[];
}
