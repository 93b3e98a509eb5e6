/** An uncompressed picture: three bytes a pixel (red, green, blue), rows from top to bottom, no padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Maximum length of the longer side, in pixels. Larger pictures are scaled down. */
export const RASTER_SIDE_MAX = 2400;

/** Rotates the raster clockwise by this many quarter turns. */
export function turned(raster: Raster, quarters: number): Raster {
  const { width, height, data } = raster;
  const turns = ((quarters % 4) + 4) % 4;
  if (turns === 0) return raster;
  const result = new Uint8Array(data.length);
  const newWidth = turns === 2 ? width : height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = 3 * targetOf(turns, { x, y, width, height }, newWidth);
      const from = 3 * (y * width + x);
      result[to] = data[from]!;
      result[to + 1] = data[from + 1]!;
      result[to + 2] = data[from + 2]!;
    }
  }
  return { width: newWidth, height: turns === 2 ? height : width, data: result };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function targetOf(turns: number, { x, y, width, height }: Place, newWidth: number): number {
  if (turns === 1) return x * newWidth + (height - 1 - y);
  if (turns === 2) return (height - 1 - y) * newWidth + (width - 1 - x);
  return (width - 1 - x) * newWidth + y;
}
