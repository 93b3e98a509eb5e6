import fc from 'fast-check';
import { ListPositions, positionsMax, sizeOf, wayTo } from './list-positions';

const TOTAL = 200_000;
const page = (offset: number, limit = 50) => ({ limit, offset });
const skipTo = (positions: ListPositions, offset: number) =>
  wayTo(page(offset), TOTAL, positions.nearest(page(offset))).skip;

/** Positions of a list of `TOTAL` rows, each with its offset as its key. */
function positionsAt(...offsets: number[]): ListPositions {
  const positions = new ListPositions(TOTAL);
  for (const offset of offsets) positions.remember(offset, [`${offset}`]);
  return positions;
}

describe('sizeOf', () => {
  it.each([
    [page(0), 120, 50],
    [page(100), 120, 20],
    [page(120), 120, 0],
    [page(500), 120, 0],
  ])('of the page %j of %i rows is %i', (window, total, size) => {
    expect(sizeOf(window, total)).toBe(size);
  });
});

describe('wayTo', () => {
  it('skips from the nearer end', () => {
    expect(wayTo(page(1_000), TOTAL)).toEqual({ skip: 1_000, isBackward: false });
    expect(wayTo(page(TOTAL - 1_050), TOTAL)).toEqual({ skip: 1_000, isBackward: true });
    expect(wayTo(page(TOTAL - 10), TOTAL)).toEqual({ skip: 0, isBackward: true });
  });

  it('skips from a position, which it includes, in both directions', () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => row);
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), fc.integer({ min: 1, max: 50 }), (at, offset, limit) => {
        const size = sizeOf({ limit, offset }, rows.length);
        // A position inside the page is not usable.
        fc.pre(at <= offset || at >= offset + size - 1);
        const { skip, isBackward } = wayTo({ limit, offset }, rows.length, { offset: at, keys: [] });
        const passed = isBackward ? rows.slice(0, at + 1).reverse() : rows.slice(at);
        const found = passed.slice(skip, skip + size).sort((one, other) => one - other);
        expect(found).toEqual(rows.slice(offset, offset + size));
      }),
    );
  });
});

describe('ListPositions', () => {
  it('returns the nearest position before or after a page', () => {
    const positions = positionsAt(50_000, 60_000);
    expect(positions.nearest(page(51_000))?.offset).toBe(50_000);
    expect(positions.nearest(page(59_000))?.offset).toBe(60_000);
    expect(skipTo(positions, 59_000)).toBe(60_000 - 59_049);
    expect(positions.nearest(page(60_000))).toEqual({ offset: 60_000, keys: ['60000'] });
  });

  it('returns none if an end of the list is nearer', () => {
    const positions = positionsAt(50_000, 150_000);
    expect(positions.nearest(page(20_000))).toBeUndefined();
    expect(positions.nearest(page(180_000))).toBeUndefined();
  });

  it('does not use a position inside the page', () => {
    const positions = positionsAt(50_010);
    expect(positions.nearest(page(50_000))).toBeUndefined();
  });

  it('skips ever fewer rows', () => {
    const positions = new ListPositions(TOTAL);
    const skips: number[] = [];
    for (let nth = 0; nth < 4_000; nth++) {
      const offset = 50 * ((nth * 1_237) % (TOTAL / 50));
      skips.push(skipTo(positions, offset));
      positions.remember(offset, [`${offset}`]);
    }
    expect(Math.max(...skips.slice(-1_000))).toBeLessThanOrEqual(TOTAL / positionsMax(TOTAL));
  });

  it('has a limited number of positions, far from each other and from the ends', () => {
    const list = fc
      .integer({ min: 1, max: 60_000 })
      .chain((total) =>
        fc.record({ total: fc.constant(total), offsets: fc.array(fc.nat(total), { maxLength: 400 }) }),
      );
    fc.assert(
      fc.property(list, ({ total, offsets }) => {
        const positions = new ListPositions(total);
        for (const offset of offsets) positions.remember(offset, [`${offset}`]);
        // A position is the nearest of its own row.
        const known = [...new Set(offsets)]
          .filter((offset) => positions.nearest(page(offset, 1))?.offset === offset)
          .sort((one, other) => one - other);
        expect(known.length).toBeLessThanOrEqual(positionsMax(total));
        const places = [0, ...known, total];
        const gaps = places.slice(1).map((place, index) => place - places[index]!);
        if (known.length > 0) expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
      }),
    );
  });

  it('remembers none as soon as it meets a null key', () => {
    const positions = positionsAt(50_000);
    positions.remember(120_000, [null, '7']);
    expect(positions.nearest(page(50_000))).toBeUndefined();
    positions.remember(50_000, ['a', '7']);
    expect(positions.nearest(page(50_000))).toBeUndefined();
  });
});
