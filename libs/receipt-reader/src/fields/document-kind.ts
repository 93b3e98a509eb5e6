import { flags, type Features } from './model';
import type { Cell } from './rows';
import type { Line, Sheet } from './sheet';
import { countOf } from './text';
import type { Concept } from './vocabulary';

const TITLES: ReadonlySet<Concept> = new Set(['title', 'invoiceNo', 'receiptNo']);
const HEADING_LENGTH = 60;
const HEADING_ROWS = 8;
const SENTENCE_LENGTH = 70;

/** True if a row that is not a sentence says that the document is an invoice or a receipt. */
export const isTitled = (sheet: Sheet): boolean =>
  sheet.lines.some(
    (line) => line.text.length <= HEADING_LENGTH && line.labels.some(({ concept }) => TITLES.has(concept)),
  );

/** True if the heading names another kind of document, such as a payslip or a quotation. */
export const isHeadedOtherwise = (sheet: Sheet): boolean =>
  sheet.lines.slice(0, HEADING_ROWS).some((line) => line.cells.some((cell) => namesOtherKind(line, cell)));

/** True if the cell contains only the name of another kind, with or without a number or a date. */
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

/** Returns the features of the document kind, which are the same for all candidates of the document. */
export function kindFeatures(sheet: Sheet): Features {
  const sentences = sheet.lines.filter((line) => line.text.length > SENTENCE_LENGTH && line.cells.length < 3);
  return flags({
    // An invoice may mention the quotation or agreement that it is based on.
    otherKind:
      !isTitled(sheet) &&
      sheet.lines.some((line) => line.labels.some(({ concept }) => concept === 'otherKind')),
    prose: sheet.source !== 'ocr' && sentences.length * 3 > sheet.lines.length,
  });
}
