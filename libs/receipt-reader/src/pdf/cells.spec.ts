import { cellsOf } from './cells';
import { piecesOf, type TextItem } from './text-pieces';

const PAGE = { width: 600, height: 800, transform: [1, 0, 0, -1, 0, 800] } as const;

/** An item of 10 points height with letters half as wide. */
function item(str: string, x: number, y: number, more: Partial<TextItem> = {}): TextItem {
  const width = str.length * 5;
  return { str, dir: 'ltr', transform: [10, 0, 0, 10, x, y], width, height: 10, ...more };
}

const cells = (items: readonly TextItem[], frame: Parameters<typeof piecesOf>[1] = PAGE) =>
  cellsOf(piecesOf(items, frame)).spans;
const texts = (items: readonly TextItem[]) => cells(items).map(({ text }) => text);

describe('the cells of a PDF page', () => {
  it('joins runs at spaces, and separates columns', () => {
    expect(texts([item('Total', 100, 700), item('due', 128, 700), item('12.00', 300, 700)])).toEqual([
      'Total due',
      '12.00',
    ]);
  });

  it('joins letters without a gap into one word', () => {
    expect(texts([item('To', 100, 700), item('tal', 110.2, 700)])).toEqual(['Total']);
  });

  it('measures from the upper left corner, for items in any order', () => {
    const [first, second] = cells([item('below', 50, 600), item('above', 50, 700)]);
    expect([first!.text, second!.text]).toEqual(['above', 'below']);
    expect(first).toMatchObject({ x: 50, y: 92, width: 25, height: 10, confidence: 1 });
  });

  it('separates text of another size or line', () => {
    expect(texts([item('Total', 100, 700), item('12.00', 126, 700, { height: 24 })])).toHaveLength(2);
    expect(texts([item('Total', 100, 700), item('12.00', 126, 690)])).toHaveLength(2);
  });

  it('separates text that runs into the next column', () => {
    expect(texts([item('26/10/2026', 100, 700), item('card 6467', 140, 700)])).toEqual([
      '26/10/2026',
      'card 6467',
    ]);
  });

  it('drops bold overprints, and text outside the page', () => {
    expect(texts([item('Total', 100, 700), item('Total', 100.3, 700), item('off', 900, 700)])).toEqual([
      'Total',
    ]);
  });

  it('separates columns that were set with spaces', () => {
    expect(cells([item('Qty 2     12.00', 100, 700)]).map(({ text, x }) => [text, x])).toEqual([
      ['Qty 2', 100],
      ['12.00', 150],
    ]);
  });

  it('reads Hebrew from the right', () => {
    const items = [
      item('517337960', 100, 700),
      item('ח.פ.', 148, 700, { dir: 'rtl' }),
      item('20/01/2024', 300, 700),
      item('תאריך', 352, 700, { dir: 'rtl' }),
    ];
    expect(texts(items)).toEqual(['ח.פ. 517337960', 'תאריך 20/01/2024']);
  });

  it('rotates a page that was drawn sideways', () => {
    const sideways = (str: string, x: number, y: number) =>
      item(str, x, y, { transform: [0, 10, -10, 0, x, y] });
    const page = cellsOf(piecesOf([sideways('first line', 100, 50), sideways('second', 120, 50)], PAGE));
    expect([page.width, page.height]).toEqual([800, 600]);
    expect(page.spans.map(({ text, x, y }) => [text, x, y])).toEqual([
      ['first line', 50, 92],
      ['second', 50, 112],
    ]);
  });

  it('keeps a vertical line at the margin by its box', () => {
    const items = [
      item('A long line of common text', 100, 700),
      item('HRB 1', 20, 100, { transform: [0, 10, -10, 0, 20, 100] }),
    ];
    expect(cells(items).at(-1)).toMatchObject({ text: 'HRB 1', width: 10, height: 25 });
  });
});
