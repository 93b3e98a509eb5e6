import { loadImage, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import type { Board, PlacedText } from './board';
import type { Draw } from './draw';
import type { Form } from './families/family';
import { pictureOf } from './wear';

/** Returns a PDF with one page. */
function onePage(board: Board, render: (context: SKRSContext2D) => void): Buffer {
  const pdf = new PDFDocument();
  // The declared type of the context lacks the methods that the package adds to those of a browser.
  render(pdf.beginPage(board.width, board.height) as unknown as SKRSContext2D);
  pdf.endPage();
  return pdf.close();
}

/** Returns a PDF that contains only a picture of the page. */
async function scanOf(board: Board, draw: Draw): Promise<Buffer> {
  const { jpeg } = await pictureOf(board, draw, true);
  const image = await loadImage(jpeg);
  return onePage(board, (context) => context.drawImage(image, 0, 0, board.width, board.height));
}

/** Returns the texts by rows, from top to bottom; the texts of a row by their position. */
function rowsOf(board: Board): PlacedText[][] {
  const rows: PlacedText[][] = [];
  for (const text of [...board.texts].sort((one, other) => one.y - other.y || one.x - other.x)) {
    const row = rows.at(-1);
    if (row?.[0] && Math.abs(row[0].y - text.y) < 4) row.push(text);
    else rows.push([text]);
  }
  return rows.map((row) => row.sort((one, other) => one.x - other.x));
}

const COLUMNS = 92;
const EMPTY_ROW = 20;

/** Returns the page as plain text, with the columns aligned by spaces. */
function textOf(board: Board): string {
  const lines: string[] = [];
  let above: number | undefined;
  for (const row of rowsOf(board)) {
    const y = row[0]?.y ?? 0;
    if (above !== undefined && y - above > EMPTY_ROW) lines.push('');
    above = y;
    lines.push(row.reduce((line, text) => padded(line, text, board.width), ''));
  }
  return `${lines.join('\n')}\n`;
}

/** Appends a text at its place: by its end in the right half of the page, so that amounts are aligned. */
function padded(line: string, { text, x, width }: PlacedText, pageWidth: number): string {
  const column = (place: number): number => Math.round((place / pageWidth) * COLUMNS);
  const start = x > pageWidth / 2 ? column(x + width) - text.length : column(x);
  return line === ''
    ? ' '.repeat(Math.max(start, 0)) + text
    : line.padEnd(Math.max(start, line.length + 2)) + text;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The share of the width after which a text without neighbours stands in a second column. */
const SECOND_COLUMN = 0.4;

/** True if the row has several texts, or one that stands in a second column. */
const hasColumns = (row: readonly PlacedText[] | undefined, width: number): boolean =>
  row !== undefined && (row.length > 1 || (row[0]?.x ?? 0) > SECOND_COLUMN * width);

/** Returns the page as HTML: rows with several texts as tables, the others as paragraphs. */
function htmlOf(board: Board): string {
  const parts: string[] = [];
  const rows = rowsOf(board);
  let open = false;
  rows.forEach((row, index) => {
    const [first] = row;
    // A row between rows with columns belongs to their table.
    const between = open && hasColumns(rows[index + 1], board.width);
    const tabular = row.length > 1 || (open && hasColumns(row, board.width)) || between;
    if (tabular !== open) parts.push(tabular ? '<table width="100%">' : '</table>');
    open = tabular;
    const empty = row.length === 1 && hasColumns(row, board.width) ? '<td></td>' : '';
    if (tabular) parts.push(`<tr>${empty}${row.map(cellOf).join('')}</tr>`);
    else if (first) parts.push(paragraphOf(first));
  });
  if (open) parts.push('</table>');
  const direction = board.mirrored ? ' dir="rtl" lang="he"' : '';
  return `<!doctype html><html${direction}><head><meta charset="utf-8"></head><body>\n${parts.join('\n')}\n</body></html>\n`;
}

const NUMERIC = /^[\d\s.,'%-]*(?:\p{Sc}|[A-Z]{3})?[\d\s.,'%-]*$/u;

const marked = ({ text, bold }: PlacedText): string => (bold ? `<b>${escaped(text)}</b>` : escaped(text));
const cellOf = (text: PlacedText, index: number): string =>
  `<td${index > 0 && NUMERIC.test(text.text) ? ' align="end"' : ''}>${marked(text)}</td>`;
const paragraphOf = (text: PlacedText): string =>
  text.size > 13 ? `<h2>${escaped(text.text)}</h2>` : `<p>${marked(text)}</p>`;

/** Returns the file in which the page arrives. */
export async function fileOf(board: Board, form: Form, draw: Draw): Promise<Buffer> {
  switch (form) {
    case 'pdf':
      return onePage(board, (context) => board.render(context, 1));
    case 'scan':
      return scanOf(board, draw);
    case 'image':
      return (await pictureOf(board, draw, false)).jpeg;
    case 'text':
      return Buffer.from(textOf(board));
    case 'html':
      return Buffer.from(htmlOf(board));
  }
}

export const EXTENSIONS: Readonly<Record<Form, 'pdf' | 'txt' | 'html' | 'jpeg'>> = {
  pdf: 'pdf',
  scan: 'pdf',
  image: 'jpeg',
  text: 'txt',
  html: 'html',
};
