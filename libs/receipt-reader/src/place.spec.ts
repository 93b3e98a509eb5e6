import { placeOn, turnedBack } from './place';

const PAGE = { width: 200, height: 100, spans: [] };
const BOX = { x: 20, y: 10, width: 50, height: 5 };

describe('a place', () => {
  it('is in shares of the page', () => {
    expect(placeOn(PAGE, 0, BOX)).toEqual({ page: 1, x: 0.1, y: 0.1, width: 0.25, height: 0.05 });
  });

  it('has the number of the page in the document, not among those that were read', () => {
    expect(placeOn({ ...PAGE, number: 14 }, 1, BOX)).toMatchObject({ page: 14 });
    expect(placeOn(PAGE, 1, BOX)).toMatchObject({ page: 2 });
  });

  it('lies within the page', () => {
    const beyond = { x: -10, y: 90, width: 400, height: 40 };
    expect(placeOn(PAGE, 0, beyond)).toEqual({ page: 1, x: 0, y: 0.9, width: 1, height: 0.1 });
  });

  it('surrounds the box where the page is shown, also if the box is tilted there', () => {
    const shown = ({ x, y }: { x: number; y: number }) => ({ x: x / 200, y: (y + x / 10) / 100 });
    expect(placeOn({ ...PAGE, shown }, 0, BOX)).toEqual({
      page: 1,
      ...{ x: 0.1, y: 0.12, width: 0.25, height: 0.1 },
    });
  });

  // The upper left corner of a page lies here after the page was turned clockwise.
  it.each([
    [0, { x: 0, y: 0 }],
    [1, { x: 1, y: 0 }],
    [2, { x: 1, y: 1 }],
    [3, { x: 0, y: 1 }],
    [-1, { x: 0, y: 1 }],
    [5, { x: 1, y: 0 }],
  ])('is turned back by %i quarters', (quarters, corner) => {
    expect(turnedBack(corner, quarters)).toEqual({ x: 0, y: 0 });
  });
});
