import { levelled, slopeOf, tilted } from './page-slope';

const PAGE = { width: 1000, height: 1400 };
const box = (centreX: number, centreY: number, angle: number) => ({
  centreX,
  centreY,
  width: 200,
  height: 30,
  angle,
});

describe('the slope of a page', () => {
  it('aligns the pieces of a row on a tilted page', () => {
    const tilt = 0.05;
    const boxes = [100, 400, 700, 1000, 1300].flatMap((row) =>
      [150, 500, 850].map((x) => box(x, row + Math.tan(tilt) * (x - 500), tilt)),
    );
    const slope = slopeOf(boxes, PAGE);
    const rows = boxes.map(({ centreX, centreY }) => levelled(slope, centreX, centreY).y);
    for (let row = 0; row < rows.length; row += 3) {
      expect(Math.max(...rows.slice(row, row + 3)) - Math.min(...rows.slice(row, row + 3))).toBeLessThan(1);
    }
  });

  it('follows rows that fan out in a photo from the side', () => {
    const slopeAt = (row: number) => 0.01 + 0.00006 * (row - 700);
    const boxes = [100, 300, 500, 700, 900, 1100, 1300].flatMap((row) =>
      [150, 500, 850].map((x) => box(x, row + slopeAt(row) * (x - 500), Math.atan(slopeAt(row)))),
    );
    const slope = slopeOf(boxes, PAGE);
    const [left, , right] = boxes
      .slice(-3)
      .map(({ centreX, centreY }) => levelled(slope, centreX, centreY).y);
    expect(Math.abs(left! - right!)).toBeLessThan(4);
  });

  it.each([
    [0.05, 0],
    [-0.08, 0.00006],
  ])('of %d, and %d more a pixel, can be undone for each point', (base, perPixel) => {
    const slope = { base, perPixel, middleX: 500, middleY: 700 };
    for (const [x, y] of [[0, 0] as const, [500, 700] as const, [990, 30] as const, [120, 1390] as const]) {
      const level = levelled(slope, x, y);
      const back = tilted(slope, level.x, level.y);
      expect(back.y).toBeCloseTo(y, 6);
      // The horizontal shift of levelled rows is approximate.
      expect(Math.abs(back.x - x)).toBeLessThan(1e-6);
    }
  });

  it('is not affected by a few boxes with another slope', () => {
    const boxes = [100, 300, 500, 700, 900, 1100, 1300].map((row) => box(500, row, 0.02));
    expect(slopeOf([...boxes, box(500, 650, -0.6), box(200, 60, 0.5)], PAGE).base).toBeCloseTo(0.02, 2);
  });

  it('of a page without text is 0', () => {
    expect(levelled(slopeOf([], PAGE), 10, 20)).toEqual({ x: 10, y: 20 });
  });
});
