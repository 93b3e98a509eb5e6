import { findTextBoxes } from './text-regions';

const LIMITS = { pixelMin: 0.3, meanMin: 0.55, growth: 2 };

/** A probability map as text: `#` is text, `+` is uncertain, other characters are paper. */
function mapOf(rows: readonly string[]) {
  const data = Float32Array.from([...rows.join('')].map((sign) => ({ '#': 0.9, '+': 0.4 })[sign] ?? 0));
  return { width: rows[0]!.length, height: rows.length, data };
}

describe('the boxes of a probability map', () => {
  it('are one for each connected region, as large as the text around its core', () => {
    const rows = Array.from({ length: 12 }, (_, y) =>
      y >= 3 && y < 7 ? '..############......####....' : '............................',
    );
    const boxes = findTextBoxes(mapOf(rows), LIMITS).toSorted((a, b) => a.centreX - b.centreX);
    expect(boxes).toHaveLength(2);
    // 12 x 4 grows by 12 * 4 * 2 / 32 = 3 on each side.
    expect(boxes[0]).toMatchObject({ centreX: 8, centreY: 5, width: 18, height: 10, angle: 0 });
    expect(boxes[1]).toMatchObject({ centreX: 22, centreY: 5, width: 8, height: 8 });
  });

  it('leave out regions of low probability, and those of a few pixels', () => {
    const doubtful = mapOf(['..........', '.++++++++.', '.++++++++.', '.++++++++.', '..........']);
    const speck = mapOf(['......', '..##..', '......']);
    expect(findTextBoxes(doubtful, LIMITS)).toEqual([]);
    expect(findTextBoxes(speck, LIMITS)).toEqual([]);
  });
});
