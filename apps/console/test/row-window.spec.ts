import {
  keysOf,
  type Place,
  placeAfter,
  placeOf,
  rowsIn,
  type Track,
  TRACK_MAX_PX,
  trackPx,
} from '../src/parts/row-window';

const SHORT: Track = { rows: 100, rowPx: 40, viewPx: 600 };
/** 40 million pixels of rows on a track of ten. */
const LONG: Track = { rows: 1_000_000, rowPx: 40, viewPx: 600 };
const END = TRACK_MAX_PX - LONG.viewPx;

const firstOf = (track: Track, place: Place) => rowsIn(track, place)[0];

it('a short list has the length of its rows', () => {
  expect(trackPx(SHORT)).toBe(4_000);
  expect(placeOf(SHORT, 10)).toEqual({ base: 0, top: 400 });
  expect(rowsIn(SHORT, { base: 0, top: 390 })).toEqual([9, 25]);
});

it('the last rows are as far down as they can be', () => {
  expect(placeOf(SHORT, 99)).toEqual({ base: 0, top: 3_400 });
  expect(rowsIn(SHORT, { base: 0, top: 3_400 })).toEqual([85, 100]);
});

it.each([0, 1, 62_499, 62_501, 400_000, 500_000, 937_000, 999_984])('row %i of a million is found', (row) => {
  const place = placeOf(LONG, row);
  expect(firstOf(LONG, place)).toBe(row);
  expect(place.top).toBeGreaterThanOrEqual(0);
  expect(place.top).toBeLessThanOrEqual(END);
});

it('a jump of the scroll bar reaches every part of a million rows', () => {
  const at = (top: number) => firstOf(LONG, placeAfter(LONG, { base: 0, top: 0 }, top));
  expect(at(END)).toBe(999_985);
  expect(at(END / 2)).toBeGreaterThan(499_000);
  expect(at(END / 2)).toBeLessThan(501_000);
  expect(placeAfter(LONG, placeOf(LONG, 999_999), 0)).toEqual({ base: 0, top: 0 });
});

it('a near scroll moves the rows by as many pixels, wherever it begins', () => {
  for (const row of [0, 500_000, 900_000]) {
    const before = placeOf(LONG, row);
    const after = placeAfter(LONG, before, before.top + 100);
    expect(after.base + after.top).toBe(before.base + before.top + 100);
  }
});

it('near scrolls do not get stuck at an end of the track before an end of the list', () => {
  for (const direction of [-1, 1]) {
    let place: Place = { ...placeOf(LONG, 500_000), top: direction < 0 ? 2_000 : END - 2_000 };
    const before = firstOf(LONG, place);
    for (let turn = 0; turn < 50; turn += 1) {
      const top = place.top + direction * 100;
      expect(top >= 0 && top <= END).toBe(true);
      place = placeAfter(LONG, place, top);
    }
    expect(Math.abs(firstOf(LONG, place) - before - direction * 125)).toBeLessThanOrEqual(1);
  }
});

it('a row keeps its key when others appear above it, and no two rows have the same', () => {
  expect(keysOf([105, 104, undefined], 0)).toEqual(['row 105', 'row 104', 'at 2']);
  expect(keysOf([106, 105, 104], 0)).toEqual(['row 106', 'row 105', 'row 104']);
  expect(keysOf(['a', 'b', 'b'], 48)).toEqual(['row a', 'row b', 'at 50']);
});
