import type { Raster } from '../image/raster';

/** White around each line, in pixels. */
const MARGIN = 24;
/** The share of the darkest pixels of a line that counts as ink, and of the lightest that counts as paper. */
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.7;
/** The contrast of a fainter line is not stretched further, because that would amplify noise. */
const CONTRAST_MIN = 30;

/** Lines of equal height, stacked on a white page. */
export interface LineStack {
  /** In PGM format. */
  readonly picture: Buffer;
  readonly lineCount: number;
  /** Height of a line including its margin. */
  readonly pitch: number;
}

/**
 * Stretches the contrast of each line separately, because the OCR engine uses one threshold for the whole
 * page.
 */
export function stackLines(lines: readonly Raster[]): LineStack {
  const pitch = Math.max(...lines.map(({ height }) => height)) + MARGIN;
  const width = Math.max(...lines.map((line) => line.width)) + 2 * MARGIN;
  const height = pitch * lines.length + MARGIN;
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  const picture = Buffer.alloc(header.length + width * height, 255);
  header.copy(picture);
  for (const [index, line] of lines.entries()) {
    const greys = spreadGreys(line);
    for (let y = 0; y < line.height; y++) {
      const start = header.length + (MARGIN + index * pitch + y) * width + MARGIN;
      picture.set(greys.subarray(y * line.width, (y + 1) * line.width), start);
    }
  }
  return { picture, lineCount: lines.length, pitch };
}

/** Returns the line at this position of the stack, or undefined between the lines. */
export function lineAt(stack: LineStack, y: number): number | undefined {
  const index = Math.floor((y - MARGIN / 2) / stack.pitch);
  return index >= 0 && index < stack.lineCount ? index : undefined;
}

/** Converts a position on the stack to a share of the line's width. */
export function shareOf(line: Raster, x: number): number {
  return (x - MARGIN) / line.width;
}

function spreadGreys({ data, width, height }: Raster): Uint8Array {
  const greys = new Uint8Array(width * height);
  for (let pixel = 0; pixel < greys.length; pixel++) {
    const at = 3 * pixel;
    greys[pixel] = (data[at]! * 77 + data[at + 1]! * 150 + data[at + 2]! * 29) >> 8;
  }
  const sorted = greys.toSorted();
  const ink = sorted[Math.floor(sorted.length * INK_SHARE)]!;
  const paper = sorted[Math.floor(sorted.length * PAPER_SHARE)]!;
  const contrast = Math.max(CONTRAST_MIN, paper - ink);
  return greys.map((grey) => Math.max(0, Math.min(255, 255 - ((paper - grey) * 255) / contrast)));
}
