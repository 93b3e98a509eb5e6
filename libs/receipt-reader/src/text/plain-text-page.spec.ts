import { plainTextPage } from './plain-text-page';
import { LINES_MAX, SPANS_MAX } from './text-box';

const texts = (text: string) => plainTextPage(text).spans.map((span) => span.text);

describe('plain text as a page', () => {
  it('separates columns at two spaces or a tab, and puts lines below each other', () => {
    const { spans } = plainTextPage('ACME STORE\nTotal with tax   12.00\n\tCash\t20.00\r\nBye');
    expect(spans.map(({ text, x, y }) => [text, x, y])).toEqual([
      ['ACME STORE', 0, 0],
      ['Total with tax', 0, 2],
      ['12.00', 17, 2],
      ['Cash', 8, 4],
      ['20.00', 16, 4],
      ['Bye', 0, 6],
    ]);
  });

  it('starts Hebrew lines at the right', () => {
    const { width, spans } = plainTextPage('סופר העמק\nסה"כ לתשלום   12.00');
    const [name, label, amount] = spans;
    expect(name!.x + name!.width).toBe(width);
    expect(label!.x).toBeGreaterThan(amount!.x);
    expect(label!.text).toBe('סה"כ לתשלום');
  });

  it('reverses Hebrew that was written in drawing order', () => {
    const lines = ['םולש לארשי תוכרעמ', '514382936 .פ.ח', 'םיטירפ רפסמ  3', 'ןופלט ןובשח', 'ףסכ'];
    expect(texts(lines.join('\n')).slice(0, 2)).toEqual(['מערכות ישראל שלום', 'ח.פ. 514382936']);
  });

  it('breaks long lines, and stops at the limit', () => {
    expect(texts('word '.repeat(100)).every((line) => line.length <= 160)).toBe(true);
    expect(plainTextPage('a\n'.repeat(100_000)).spans.length).toBe(LINES_MAX);
    expect(plainTextPage(`${'a  '.repeat(1_000)}\n`.repeat(100)).spans.length).toBeLessThanOrEqual(SPANS_MAX);
    expect(texts('a'.repeat(1_000_000)).length).toBeLessThan(100);
  });

  it('has a size without any text', () => {
    expect(plainTextPage(' \n\n')).toMatchObject({ spans: [], width: 1 });
  });
});
