import { turned } from './raster';

const pixels = (...reds: number[]) => Uint8Array.from(reds.flatMap((red) => [red, red + 1, red + 2]));

describe('a raster', () => {
  // 1 2 3
  // 4 5 6
  const raster = { width: 3, height: 2, data: pixels(10, 20, 30, 40, 50, 60) };

  it.each([
    [0, 3, [10, 20, 30, 40, 50, 60]],
    [1, 2, [40, 10, 50, 20, 60, 30]],
    [2, 3, [60, 50, 40, 30, 20, 10]],
    [3, 2, [30, 60, 20, 50, 10, 40]],
    [5, 2, [40, 10, 50, 20, 60, 30]],
  ])('rotated clockwise by %i quarters keeps every pixel with its colours', (quarters, width, reds) => {
    expect(turned(raster, quarters)).toEqual({ width, height: 6 / width, data: pixels(...reds) });
  });
});
