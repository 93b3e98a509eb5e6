import type { Span } from '../page';
import { toRows } from './rows';

const span = (text: string, x: number, y: number): Span => ({
  text,
  x,
  y,
  width: text.length * 10,
  height: 20,
  confidence: 1,
});
const page = (...spans: Span[]) => ({ width: 800, height: 1000, spans });
const texts = (source: 'ocr' | 'pdf-text' | 'text', ...spans: Span[]) =>
  toRows([page(...spans)], source).map((row) => row.text);

describe('rows', () => {
  it('group spans side by side, from top to bottom', () => {
    expect(texts('ocr', span('12.50', 600, 102), span('CASH', 10, 140), span('TOTAL', 10, 100))).toEqual([
      'TOTAL  12.50',
      'CASH',
    ]);
  });

  it('join words that are close, and separate columns', () => {
    const [row] = toRows(
      [page(span('GRAND', 10, 100), span('TOTAL', 66, 100), span('9.00', 500, 100))],
      'pdf-text',
    );
    expect(row?.cells.map((cell) => cell.text)).toEqual(['GRAND TOTAL', '9.00']);
  });

  it('follow a page that was scanned at an angle', () => {
    const tilted = [0, 1, 2, 3, 4, 5].flatMap((line) => [
      span(`item ${line}`, 20, 100 + line * 30),
      span(`${line}.00`, 700, 100 + line * 30 + 24),
    ]);
    expect(texts('ocr', ...tilted)).toEqual([0, 1, 2, 3, 4, 5].map((line) => `item ${line}  ${line}.00`));
  });

  it('are read from the right in Hebrew, with numbers from the left', () => {
    expect(
      texts('pdf-text', span('924.30', 10, 100), span('לתשלום', 400, 100), span('סה"כ', 466, 100)),
    ).toEqual(['סה"כ לתשלום  924.30']);
  });

  it('keep the text of a second OCR engine', () => {
    const [row] = toRows([page({ ...span('8.00', 10, 10), alternative: '3.00' })], 'ocr');
    expect(row?.cells[0]).toMatchObject({ text: '8.00', alternative: '3.00' });
  });

  it('are limited: of a very long document the beginning and the end are read', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => span(`line ${index}`, 10, index * 30));
    const rows = toRows([page(...long)], 'text');
    expect(rows.length).toBeLessThanOrEqual(700);
    expect(rows[0]?.text).toBe('line 0');
    expect(rows.at(-1)?.text).toBe('line 19999');
  });
});
