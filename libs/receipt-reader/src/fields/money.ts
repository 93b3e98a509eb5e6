import { isNegative, type PrintedNumber } from './amounts';
import { currencySign } from './currency-signs';
import type { Label } from './labels';
import { percentagesOf, ratesOf } from './percentages';
import { roleOf, TOTAL_ROLES, type Role } from './roles';
import { cellAt, extentOf, type Line, type Sheet } from './sheet';
import { countOf, withoutBrackets } from './text';

/** An amount of money on the sheet, with the roles that its labels give it. */
export interface Amount {
  readonly line: Line;
  /** In hundredths of the currency's unit; negative as printed. */
  readonly cents: number;
  readonly decimals: number;
  readonly start: number;
  readonly end: number;
  readonly x: number;
  readonly right: number;
  /** The role by the label before the amount in its row, or after it if there is none before. */
  readonly role: Role;
  /** True if no other amount stands between the label and this amount. */
  readonly direct: boolean;
  /** True if other words stand between the label of a total and the amount: "total assets". */
  readonly apart: boolean;
  /** The role by the heading of the column, or by the row above if the amount's own row has no label. */
  readonly column: Role;
  /** True if the amount is under the heading of a tax summary. */
  readonly inSummary: boolean;
  readonly last: boolean;
  readonly currency: boolean;
  readonly repaired: boolean;
  /**
   * 1 if a second OCR engine read the same number, -1 if it read another one, 0 if there is nothing to
   * compare.
   */
  readonly agreement: -1 | 0 | 1;
  /** A tax rate in the same row, in hundredths of a percent. */
  readonly rate: number | undefined;
}

const MOST_AMOUNTS = 600;
const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)/g;

/** Returns the numbers of a row that may be amounts: no times, percentages or quantities with a unit. */
function sumsOf(line: Line): PrintedNumber[] {
  const percentages = percentagesOf(line);
  const times = [...line.text.matchAll(TIME)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  return line.numbers.filter((number) => {
    if (percentages.has(number)) return false;
    if (times.some(([start, end]) => number.start < end && start < number.end)) return false;
    const after = line.text.slice(number.end, number.end + 8);
    return !/^ ?(?:kg|g\b|ml|cl|l\b|ltr|mm|cm|m\b|km|kwh\b|hours?\b|hrs?\b|days?\b|nights?\b|miles?\b|x\d|'|")/i.test(
      after,
    );
  });
}

function currencyBeside(line: Line, number: PrintedNumber): boolean {
  const before = line.text.slice(Math.max(number.start - 6, 0), number.start);
  const after = line.text.slice(number.end, number.end + 6);
  return (
    currencySign(before.replace(/^.*[\d%]/, '')) !== undefined ||
    currencySign(after.replace(/\d.*/s, '')) !== undefined
  );
}

interface Segment {
  readonly role: Role;
  readonly direct: boolean;
  /** True if the label stands after the amount. */
  readonly trailing: boolean;
  readonly apart?: boolean;
}

/**
 * A total with at least this many unlabelled letters beside it is a total of something else. Fewer letters
 * are a unit, a sign or "for".
 */
const APART_LETTERS = 5;
const NO_MATTER = /\p{Sc}|(?<!\p{L})(?:\p{Lu}{2,3}|Euros?|Dollars?|Pounds?|Sterling)(?!\p{L})/gu;

/** True if unlabelled words, other than a date, stand between the last label and the amount. */
function standsApart(line: Line, labels: readonly Label[], number: PrintedNumber): boolean {
  const last = labels.at(-1);
  if (!last || !TOTAL_ROLES.has(roleOf(labels))) return false;
  if (labels.some(({ concept }) => concept === 'time')) return true;
  const between = [...line.text.slice(last.end, number.start)]
    .map((character, index) => (isDated(line, last.end + index) ? ' ' : character))
    .join('');
  return countOf(withoutBrackets(between).replace(NO_MATTER, ''), /\p{L}/gu) >= APART_LETTERS;
}

const isDated = (line: Line, place: number): boolean =>
  line.dates.some((date) => date.start <= place && place < date.end);

/** "VAT 10 % on 39.40": the amount is the base of the tax. */
const BASE_BEFORE = /(?<!\p{L})(?:aus|auf|on|of|von|sur|su|sobre|over|z|av|från)\s*\p{Sc}?\s*$/iu;

/** Returns the role by the words before an amount, back to the previous amount or the start of the row. */
function segmentOf(line: Line, sums: readonly PrintedNumber[], index: number): Segment {
  const number = sums[index];
  if (!number) return { role: '', direct: false, trailing: false };
  const within = (from: number, to: number): Label[] =>
    line.labels.filter((label) => label.start >= from && label.end <= to);
  const priced = sums.slice(0, index).filter((sum) => sum.decimals === 2);
  const labels = within(priced.at(-1)?.end ?? 0, number.start);
  const direct = roleOf(labels);
  const taxed = direct === 'tax' || direct === 'inclTax';
  const followed = index + 1 < sums.length;
  if (taxed && followed && BASE_BEFORE.test(line.text.slice(0, number.start))) {
    return { role: 'net', direct: true, trailing: false };
  }
  if (direct !== '') {
    return { role: direct, direct: true, trailing: false, apart: standsApart(line, labels, number) };
  }
  const inherited = roleOf(within(0, number.start));
  if (inherited !== '') return { role: inherited, direct: false, trailing: false };
  const next = sums[index + 1]?.start ?? line.text.length;
  const trailing = roleOf(within(number.end, next));
  return { role: trailing, direct: trailing !== '', trailing: true };
}

const HEAD_REACH = 14;

/** Returns the role by the nearest label above in the same column. */
function columnOf(sheet: Sheet, line: Line, x: number, right: number): Role {
  const first = Math.max(line.index - HEAD_REACH, 0);
  for (let index = line.index - 1; index >= first; index--) {
    const above = sheet.lines[index];
    if (!above || above.page !== line.page) return '';
    const role = headOf(above, x, right, line.index - index === 1);
    if (role !== '') return role;
  }
  return '';
}

function headOf(above: Line, x: number, right: number, next: boolean): Role {
  if (above.labels.length === 0) return '';
  const priced = above.numbers.some((number) => number.decimals === 2);
  const heading = !priced && (next || above.cells.length > 1);
  if (!heading) return '';
  const labels = above.labels.filter((label) => {
    const extent = extentOf(above, label.start, label.end);
    return extent.x < right + 0.3 * above.height && x < extent.right + 0.3 * above.height;
  });
  return roleOf(labels);
}

function isSummarised(sheet: Sheet, line: Line): boolean {
  for (let index = line.index; index >= Math.max(line.index - 6, 0); index--) {
    const above = sheet.lines[index];
    if (!above) return false;
    const roles = above.labels.map((label) => label.concept);
    if (roles.includes('summary') && roles.some((concept) => concept === 'tax' || concept === 'summary'))
      return true;
    if (index < line.index && roles.some((concept) => concept === 'grand' || concept === 'change'))
      return false;
  }
  return false;
}

function agreementOf(line: Line, number: PrintedNumber): -1 | 0 | 1 {
  const cell = cellAt(line, number.start);
  if (cell?.alternative === undefined) return 0;
  const digits = (text: string): string => text.replace(/\D/g, '');
  const printed = digits(line.text.slice(number.start, number.end));
  return digits(cell.alternative).includes(printed) ? 1 : -1;
}

/** A longer whole number is money only if its thousands are grouped. In hundredths. */
const UNGROUPED_MAX = 100_000_000;

/** A whole number is money only beside a currency or a word for a total. */
function isMoney(line: Line, number: PrintedNumber, segment: Segment): boolean {
  if (number.decimals === 2) return true;
  if (number.decimals > 2 || number.isPart) return false;
  const isGrouped = /\d[.,' ]\d{3}/.test(line.text.slice(number.start, number.end));
  if (number.cents > UNGROUPED_MAX && !isGrouped) return false;
  if (currencyBeside(line, number)) return true;
  return (
    number.decimals === 0 &&
    segment.direct &&
    !segment.trailing &&
    (TOTAL_ROLES.has(segment.role) || segment.role === 'tax')
  );
}

function toAmount(
  sheet: Sheet,
  line: Line,
  sums: readonly PrintedNumber[],
  index: number,
): Amount | undefined {
  const number = sums[index];
  if (!number) return undefined;
  const segment = ofOtherMatter(sheet, roundedIfLarge(segmentOf(line, sums, index), number));
  if (!isMoney(line, number, segment)) return undefined;
  const extent = extentOf(line, number.start, number.end);
  return {
    line,
    cents: isNegative(line.text, number.start, number.end) ? -number.cents : number.cents,
    decimals: number.decimals,
    start: number.start,
    end: number.end,
    ...extent,
    role: segment.role,
    direct: segment.direct,
    apart: segment.apart === true,
    column: columnOf(sheet, line, extent.x, extent.right),
    inSummary: isSummarised(sheet, line),
    last: index === sums.length - 1,
    currency: currencyBeside(line, number),
    repaired: number.repaired,
    agreement: agreementOf(line, number),
    rate: ratesOf(line)[0],
  };
}

/** Returns the tax rates that the document prints: those in rows or columns about tax, or else all. */
export function taxRates(sheet: Sheet, amounts: readonly Amount[]): Set<number> {
  const taxed = new Set(
    amounts.filter((amount) => amount.column === 'tax' || amount.inSummary).map(({ line }) => line),
  );
  const told = sheet.lines.filter(
    (line) =>
      taxed.has(line) || line.labels.some(({ concept }) => concept === 'tax' || concept === 'summary'),
  );
  const rates = told.flatMap((line) => ratesOf(line));
  return new Set(rates.length > 0 ? rates : sheet.lines.flatMap((line) => ratesOf(line)));
}

/** A "rounding" of more than a few cents is the rounded amount itself. */
function roundedIfLarge(segment: Segment, number: PrintedNumber): Segment {
  return segment.role === 'rounding' && number.cents > 100 ? { ...segment, role: 'rounded' } : segment;
}

/**
 * Drops the role of a total that counts something else, such as "total assets". OCR text keeps it, because
 * the other word may be a misread label.
 */
function ofOtherMatter(sheet: Sheet, segment: Segment): Segment {
  return segment.apart === true && sheet.source !== 'ocr' ? { ...segment, role: 'other' } : segment;
}

/** OCR loses decimal points: "4150" is 41.50 if the document also contains 41.50. */
function withLostPoint(amount: Amount, amounts: readonly Amount[]): Amount {
  if (amount.decimals !== 0 || amount.cents < 10_000) return amount;
  const cents = amount.cents / 100;
  const elsewhere = amounts.some((other) => other.decimals === 2 && Math.abs(other.cents - cents) <= 4);
  return elsewhere ? { ...amount, cents, decimals: 2, repaired: true } : amount;
}

/** Returns all amounts of the sheet in reading order. */
export function findAmounts(sheet: Sheet): Amount[] {
  const printed = printedAmounts(sheet);
  const amounts = sheet.source === 'ocr' ? printed.map((amount) => withLostPoint(amount, printed)) : printed;
  const largest = largestOf(amounts);
  return amounts.map((amount) => {
    const small = amount.cents * 3 < largest || amounts.some(({ cents }) => isIncluded(amount, cents));
    return { ...amount, role: bySize(amount.role, small), column: bySize(amount.column, small) };
  });
}

/** Returns the largest positive amount. Cash counts only if there is no other amount except included tax. */
function largestOf(amounts: readonly Amount[]): number {
  const isBought = ({ role, cents }: Amount): boolean => role !== 'cash' && role !== 'inclTax' && cents > 0;
  const counted = amounts.some(isBought) ? amounts.filter(({ role }) => role !== 'cash') : amounts;
  return Math.max(...counted.map(({ cents }) => cents), 0);
}

/** True if the tax rate in the amount's row shows that the amount is the tax included in `whole`. */
export function isIncluded({ cents, rate = 0 }: Pick<Amount, 'cents' | 'rate'>, whole: number): boolean {
  return rate > 0 && whole > cents && Math.abs((whole * rate) / (10_000 + rate) - cents) <= 1;
}

/** "VAT included" may label the tax, which is small, or the amount that includes it. */
function bySize(role: Role, small: boolean): Role {
  if (role !== 'inclTax') return role;
  return small ? 'tax' : 'gross';
}

function printedAmounts(sheet: Sheet): Amount[] {
  const amounts: Amount[] = [];
  for (const line of sheet.lines) {
    const sums = sumsOf(line);
    for (let index = 0; index < sums.length && amounts.length < MOST_AMOUNTS; index++) {
      const amount = toAmount(sheet, line, sums, index);
      if (amount) amounts.push(amount);
    }
  }
  return amounts;
}
