export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An upright rectangle; y grows downwards. */
export interface Box {
  /** Left edge. */
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A piece of text on a page (a word, a cell or a part of a line) in reading order (Hebrew in logical order).
 * The box is upright. Its unit is that of the page: pixels of an image, points of a PDF, columns and rows of
 * plain text.
 */
export interface Span extends Box {
  readonly text: string;
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
  /** In the document, from 1. Left out: its position among the pages that were read. */
  readonly number?: number;
  /**
   * Returns where a point is on the page as viewers show it, in shares of its width and height. Left out: the page was
   * neither turned nor levelled for reading.
   */
  readonly shown?: (point: Point) => Point;
}
