import { flags, type Features } from './model';
import type { Cell } from './rows';
import type { Line, Sheet } from './sheet';
import { countOf } from './text';
import type { Concept } from './vocabulary';

const TITLES: ReadonlySet<Concept> = new Set(['title', 'invoiceNo', 'receiptNo']);
const HEADING_LENGTH = 60;
const HEADING_ROWS = 8;
const SENTENCE_LENGTH = 70;

/** Whether a row that is no sentence calls the document an invoice or a receipt. */
export const isTitled = (sheet: Sheet): boolean =>
  sheet.lines.some(
    (line) => line.text.length <= HEADING_LENGTH && line.labels.some(({ concept }) => TITLES.has(concept)),
  );

/** Whether the document's heading is the name of another kind of document: a payslip, a quotation. */
export const isHeadedOtherwise = (sheet: Sheet): boolean =>
  sheet.lines.slice(0, HEADING_ROWS).some((line) => line.cells.some((cell) => namesOtherKind(line, cell)));

/** Nothing but the kind, and perhaps a number or a date, is in the cell. */
function namesOtherKind(line: Line, cell: Cell): boolean {
  const end = cell.start + cell.text.length;
  const label = line.labels.find(
    ({ concept, start, slips }) =>
      concept === 'otherKind' && start >= cell.start && start < end && slips === 0,
  );
  if (!label) return false;
  const rest = line.text.slice(cell.start, label.start) + line.text.slice(label.end, end);
  return !/\p{L}{3}/u.test(rest) || (line.dates.length > 0 && countOf(rest, /\p{L}/gu) < 12);
}

/** Features of the kind of document, the same for all candidates in it. */
export function kindFeatures(sheet: Sheet): Features {
  const sentences = sheet.lines.filter((line) => line.text.length > SENTENCE_LENGTH && line.cells.length < 3);
  return flags({
    // An invoice may speak of the quotation or the agreement that it follows from.
    otherKind:
      !isTitled(sheet) &&
      sheet.lines.some((line) => line.labels.some(({ concept }) => concept === 'otherKind')),
    prose: sheet.source !== 'ocr' && sentences.length * 3 > sheet.lines.length,
  });
}
