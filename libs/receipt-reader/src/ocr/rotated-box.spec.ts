import type { Point } from '../page';
import { convexHull, smallestBoxAround, turnedWithRaster } from './rotated-box';

/** The corners of a rectangle around (50, 40), rotated by an angle. */
function corners(width: number, height: number, angle: number): Point[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [
    [-width / 2, -height / 2],
    [width / 2, -height / 2],
    [width / 2, height / 2],
    [-width / 2, height / 2],
  ].map(([u, v]) => ({ x: 50 + u! * cos - v! * sin, y: 40 + u! * sin + v! * cos }));
}

describe('the smallest box', () => {
  it('ignores points inside the hull', () => {
    const square = [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 4 },
      { x: 0, y: 4 },
    ];
    expect(convexHull([...square, { x: 2, y: 2 }, { x: 1, y: 3 }])).toHaveLength(4);
  });

  it.each([0, 0.05, -0.07, 0.6, -0.6])('finds a line of text with an angle of %d radians', (angle) => {
    const box = smallestBoxAround(corners(60, 10, angle));
    expect(box.angle).toBeCloseTo(angle, 5);
    expect(box.width).toBeCloseTo(60, 5);
    expect(box.height).toBeCloseTo(10, 5);
    expect([box.centreX, box.centreY]).toEqual([expect.closeTo(50, 5), expect.closeTo(40, 5)]);
  });

  it('of a vertical line is higher than wide, not rotated', () => {
    const box = smallestBoxAround(corners(60, 10, Math.PI / 2));
    expect(box.angle).toBeCloseTo(0, 5);
    expect(box.height).toBeCloseTo(60, 5);
  });

  it.each([
    [1, { centreX: 80, centreY: 30, width: 8, height: 20 }],
    [2, { centreX: 170, centreY: 80, width: 20, height: 8 }],
    [3, { centreX: 20, centreY: 170, width: 8, height: 20 }],
  ])('rotates with a raster by %i quarters', (quarters, expected) => {
    const box = { centreX: 30, centreY: 20, width: 20, height: 8, angle: 0.02 };
    expect(turnedWithRaster(box, quarters, { width: 200, height: 100 })).toEqual({
      ...expected,
      angle: 0.02,
    });
  });
});
