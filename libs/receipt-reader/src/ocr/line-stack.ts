import type { Raster } from '../image/raster';

/** White around each line, in pixels. */
const MARGIN = 24;
/** The share of the darkest greys of a line that count as ink, and of the lightest that count as paper. */
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.7;
/** A line of less contrast is not stretched further: it would be noise. */
const CONTRAST_MIN = 30;

/** Several lines of one height, one below the other on a white page. */
export interface LineStack {
  /** A picture in the PGM format. */
  readonly picture: Buffer;
  readonly lineCount: number;
  /** Height of a line with its margin. */
  readonly pitch: number;
}

/** Every line is spread from black to white by itself: one page has one threshold between ink and paper. */
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

/** Which line a place on the stack belongs to, or undefined outside of all. */
export function lineAt(stack: LineStack, y: number): number | undefined {
  const index = Math.floor((y - MARGIN / 2) / stack.pitch);
  return index >= 0 && index < stack.lineCount ? index : undefined;
}

/** A place on the stack as a share of the line's width. */
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
