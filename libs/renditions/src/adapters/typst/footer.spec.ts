import sharp from 'sharp';
import { aPrintableDocument } from '../../testing/a-printable-document';
import { hasPoppler, withPoppler } from '../../testing/pictures';
import { TypstPdfRenderer } from './typst-pdf-renderer';

const DPI = 300;
const pixels = (mm: number) => String(Math.round((mm / 25.4) * DPI));
/** The lower margin of an A4 page, where the footer is. */
const MARGIN = [
  ...['-r', String(DPI), '-gray', '-png', '-f', '1', '-l', '1'],
  ...['-x', pixels(10), '-y', pixels(273), '-W', pixels(190), '-H', pixels(23.9)],
];
/** Darker than the edges of letters. Of 255. */
const INK = 200;
/** Of antialiasing, in pixels. */
const TOLERANCE = 2;

const described = hasPoppler('footer.spec.ts') ? describe : describe.skip;

/** The heights of the printed lines in the lower margin, below the number of the page. */
async function heightsOfLines(pdf: Uint8Array): Promise<number[]> {
  const picture = withPoppler('pdftoppm', pdf, [...MARGIN, 'PDF']);
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const heights: number[] = [];
  let wasInk = false;
  for (let row = 0; row < info.height; row += 1) {
    const isInk = data.subarray(row * info.width, (row + 1) * info.width).some((value) => value < INK);
    if (isInk && !wasInk) heights.push(0);
    if (isInk) heights.push((heights.pop() ?? 0) + 1);
    wasInk = isInk;
  }
  return heights.slice(1);
}

/** How many lines the text of the page has there: text that is cut off is still part of it. */
function linesOfText(pdf: Uint8Array): number {
  const text = withPoppler('pdftotext', pdf, ['-layout', 'PDF', '-']).toString();
  const [, footer = ''] = text.split('Page 1 of 1');
  return footer.split('\n').filter((line) => line.trim() !== '').length;
}

/** A word, repeated up to a length. */
const words = (word: string, length: number) =>
  `${word} `.repeat(Math.floor((length + 1) / (word.length + 1))).trim();

/** From above the other letters to below them. */
const SHORT = 'Hqg';
const several = (count: number) => Array.from({ length: count }, () => SHORT);

described('the footer of a PDF', () => {
  const renderer = new TypstPdfRenderer();

  it.each([
    ['four lines', several(4)],
    ['five lines', several(5)],
    ['six lines', several(6)],
    ['five lines and a long one', [...several(5), words('Hqg Haqgoe', 480)]],
    ['five lines and one of the widest letters', [...several(5), words('WWqWWWWWWW', 480)]],
    ['one line of 500 characters', [words(SHORT, 500)]],
  ])('shows every line in its whole height: %s', async (_, lines) => {
    const issuer = { footer: lines.join('\n') };
    const { pdf } = await renderer.render(aPrintableDocument({ issuer }));
    const [first = 0, ...others] = await heightsOfLines(pdf);
    expect(others).toHaveLength(linesOfText(pdf) - 1);
    for (const height of others) expect(Math.abs(height - first)).toBeLessThanOrEqual(TOLERANCE);
  });
});
