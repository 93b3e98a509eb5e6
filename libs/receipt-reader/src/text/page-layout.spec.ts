import { PageLayout } from './page-layout';

const placed = (layout: PageLayout) =>
  layout.finish(undefined).spans.map(({ text, x, y }) => [text, x, y] as const);

function givenTable(layout: PageLayout, rows: readonly (readonly string[])[]): void {
  const { depth } = layout;
  layout.openTable();
  for (const row of rows) {
    layout.openRow();
    for (const cell of row) {
      const inside = layout.depth;
      layout.openCell(1);
      layout.write(cell, 1);
      layout.closeTo(inside);
    }
  }
  layout.closeTo(depth);
}

describe('the layout of a page', () => {
  it('collapses white space and breaks lines', () => {
    const layout = new PageLayout();
    layout.write('  Thank\n you ', 1);
    layout.write(' very much', 1);
    layout.breakLine();
    layout.breakLine();
    layout.write('Bye', 1);
    expect(placed(layout)).toEqual([
      ['Thank you very much', 0, 0],
      ['Bye', 0, 2],
    ]);
  });

  it('puts the cells of a row side by side, in the columns of their table', () => {
    const layout = new PageLayout();
    givenTable(layout, [
      ['Item', 'Price'],
      ['A long name', '12.00'],
    ]);
    expect(placed(layout)).toEqual([
      ['Item', 0, 0],
      ['Price', 14, 0],
      ['A long name', 0, 2],
      ['12.00', 14, 2],
    ]);
  });

  it('puts blocks of a layout table side by side', () => {
    const layout = new PageLayout();
    layout.openTable();
    layout.openRow();
    const { depth } = layout;
    layout.openCell(1);
    layout.write('Seller', 1);
    layout.breakLine();
    layout.write('Acme Ltd', 1);
    layout.closeTo(depth);
    layout.openCell(1);
    givenTable(layout, [['Date', '2024-01-02']]);
    expect(placed(layout)).toEqual([
      ['Seller', 0, 0],
      ['Acme Ltd', 0, 2],
      ['Date', 11, 0],
      ['2024-01-02', 18, 0],
    ]);
  });

  it('joins a sign with its amount, and separates other text', () => {
    const layout = new PageLayout();
    layout.write('Total', 1);
    layout.gap();
    layout.write('$', 1);
    layout.gap();
    layout.write('12.00', 1);
    expect(placed(layout)).toEqual([
      ['Total', 0, 0],
      ['$12.00', 8, 0],
    ]);
  });

  it('keeps the columns of preformatted text', () => {
    const layout = new PageLayout();
    layout.writeSet('Item        Price\nTea', 1);
    layout.writeSet('          2.00\n\nTotal\t2.00', 1);
    expect(placed(layout)).toEqual([
      ['Item', 0, 0],
      ['Price', 12, 0],
      ['Tea', 0, 2],
      ['2.00', 13, 2],
      ['Total', 0, 4],
      ['2.00', 8, 4],
    ]);
  });

  it('limits the amount of text at any depth', () => {
    const layout = new PageLayout();
    for (let level = 0; level < 1_000; level++) {
      layout.openTable();
      layout.openRow();
      layout.openCell(1);
    }
    layout.write('deep', 1);
    expect(layout.depth).toBeLessThan(50);
    expect(placed(layout).map(([text]) => text)).toEqual(['deep']);
  });
});
