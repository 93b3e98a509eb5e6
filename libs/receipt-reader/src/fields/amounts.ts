import { currencySign } from './currency-signs';
import { countOf } from './text';

/** The decimal separator. A document uses one separator throughout. */
export type DecimalMark = '.' | ',';

/** A number as printed in a row. */
export interface PrintedNumber {
  readonly start: number;
  readonly end: number;
  /** In hundredths. */
  readonly cents: number;
  /** Digits after the decimal separator. Money has two or none. */
  readonly decimals: number;
  /** True if the parser guessed: it took a letter for a digit, or added a missing separator. */
  readonly repaired: boolean;
  /** True if a space separates it from other digits, with which it may be one number. */
  readonly isPart: boolean;
}

/**
 * Determines the separator from the numbers whose last two separators, or last two digits, are unambiguous.
 */
export function decimalMarkOf(text: string): DecimalMark {
  const comma =
    countOf(text, /(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d{2}(?![\d,.]*\d)/g) +
    3 * countOf(text, /\d\.\d{3},\d{2}(?!\d)/g);
  const point =
    countOf(text, /(?<![\d.,/-])\d{1,3}(?:,\d{3})*\.\d{2}(?![\d,./-]*\d)/g) +
    3 * countOf(text, /\d,\d{3}\.\d{2}(?!\d)/g);
  if (comma === 0 && point === 0) return hasPointsForThousands(text) || hasThousandths(text) ? ',' : '.';
  return comma > point ? ',' : '.';
}

/** True if the point separates thousands: the text has millions, or money without cents (Rp 12.500). */
function hasPointsForThousands(text: string): boolean {
  return /(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])|(?<!\p{L})(?:Rp|IDR|VND|CLP|COP)\.? ?\d{1,3}\.\d{3}(?!\d)/u.test(
    text,
  );
}

/** True if the comma separates thousandths of the Tunisian dinar (125,500 TND). Other dinars use the point. */
function hasThousandths(text: string): boolean {
  const isBeside = /\d,\d{3} ?(?:TND|DT)(?!\p{L})|(?<!\p{L})TND ?\d{1,6},\d{3}(?!\d)/u;
  return isBeside.test(text) && !/\d,\d{3},\d{3}/.test(text);
}

/**
 * Replaces letters that OCR confuses with digits if they stand between digits. The text keeps its length.
 * Only letters inside a number or after its decimal separator are replaced: "7.00S" is a price and a tax
 * code.
 */
export function repairDigits(text: string): string {
  return text
    .replace(/(?<=\d)[OoQD](?=[\d.,])/g, '0')
    .replace(/(?<=\d[.,])[OoQD](?=[\dOoQD])/g, '0')
    .replace(/(?<=\d[.,]\d)[OoQD](?![A-Za-z\d])/g, '0')
    .replace(/(?<![\p{L}\d.,])[OoQD](?=[.,]\d\d(?!\d))/gu, '0')
    .replace(/(?<=\d)[Il|](?=[\d.,])/g, '1')
    .replace(/(?<=\d[.,])[Il|](?=\d)/g, '1')
    .replace(/(?<=\d[.,]\d)[Il|](?![A-Za-z\d])/g, '1');
}

/** Thousands are grouped by three, or as in India: 1,47,500.00. */
const NUMBER =
  /(?<![\p{L}\d.,/:_-])(?:\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?|\d{1,3}(?:(?<thousands>[.,' ])\d{3})(?:\k<thousands>\d{3})*(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,4})?|[.,]\d{2})(?![\d/:_]|[.,]\d|-\d)/gu;
/** The same directly after a minus sign. */
const SIGNED =
  /(?<=(?:^|[\s(]|\p{Sc})-)(?:\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?|\d{1,3}(?:(?<thousands>[.,' ])\d{3})(?:\k<thousands>\d{3})*(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,4})?|[.,]\d{2})(?![\d/:_]|[.,]\d|-\d)/gu;
/** The same directly after letters (RM12.50, TOTAL9.10), if two decimals make it unambiguous. */
const GLUED = /(?<=\p{L}|[-:*])(?:\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:,?\d{3})*)\.\d{2}(?!\d|[./]\d)/gu;
/** OCR may break 4.70 into "4 .70", "4. 70" or "4 70". */
const BROKEN = /(?<![\d.,] ?)\d{1,5}(?: ?[.,] | [.,] ?| )\d{2}(?![\d.,:/%]| ?\d)/g;

/** Returns the numbers in the text of a row. If `recognised` is true, digits may be broken or misread. */
export function findNumbers(text: string, mark: DecimalMark, recognised: boolean): PrintedNumber[] {
  const repaired = recognised ? repairDigits(text) : text;
  const found: PrintedNumber[] = [];
  const take = (match: RegExpExecArray, guessed: boolean, isPart = false): void => {
    const [printed] = match;
    const end = match.index + printed.length;
    if (found.some((other) => match.index < other.end && other.start < end)) return;
    const changed = guessed || text.slice(match.index, end) !== printed;
    const number = parseNumber(printed, mark);
    if (number) found.push({ start: match.index, end, repaired: changed, isPart, ...number });
  };
  if (recognised) for (const match of repaired.matchAll(BROKEN)) takeBroken(match, take);
  for (const match of repaired.matchAll(SIGNED)) {
    if (/[.,]\d{2}$/.test(match[0])) takeWhole(match, mark, recognised, take);
  }
  for (const match of repaired.matchAll(NUMBER)) takeWhole(match, mark, recognised, take);
  for (const match of repaired.matchAll(GLUED)) take(match, false);
  return found.sort((one, other) => one.start - other.start);
}

type Take = (match: RegExpExecArray, guessed: boolean, isPart?: boolean) => void;

/** Takes a number that OCR broke at a space. Without a separator, it is taken only at the end of the text. */
function takeBroken(match: RegExpExecArray, take: Take): void {
  const marked = /[.,]/.test(match[0]);
  const last = match.index + match[0].length === match.input.length;
  if (marked || (last && /\p{L}/u.test(match.input))) take(match, true);
}

/**
 * A single space before the document's decimal separator, or before a currency, separates thousands, because columns
 * stand further apart. OCR text is less certain: if the point is the decimal separator, the space separates two
 * numbers, and the last one is a guess.
 */
function takeWhole(match: RegExpExecArray, mark: DecimalMark, recognised: boolean, take: Take): void {
  const spaced = match.groups?.['thousands'] === ' ';
  const priced = /[.,]\d{2}$/.test(match[0]) && match[0].at(-3) === mark;
  const isWhole = priced ? mark === ',' || !recognised : !recognised && isBesideCurrency(match);
  if (!spaced || isWhole) {
    take(match, false);
    return;
  }
  let from = match.index;
  for (const part of match[0].split(' ')) {
    const piece = Object.assign([part] as unknown as RegExpExecArray, { index: from, input: match.input });
    take(piece, priced && from > match.index, !priced);
    from += part.length + 1;
  }
}

/**
 * True if a currency stands directly before or after the number, and not beside another one: "12 700 Ft", but not
 * "Room 12 150 $89.00".
 */
function isBesideCurrency({ 0: printed, index, input }: RegExpExecArray): boolean {
  const end = index + printed.length;
  const [, before = ''] = /(?<!\S|\d )(\S{1,4}) ?$/.exec(input.slice(Math.max(index - 8, 0), index)) ?? [];
  const [, after = ''] = /^ ?([^\s\d]{1,4})(?!\S| ?\d)/.exec(input.slice(end, end + 8)) ?? [];
  return currencySign(before) !== undefined || currencySign(after) !== undefined;
}

/**
 * Returns the value of a printed number, or undefined if it is too long for money. Three digits after the
 * document's decimal separator are thousandths, and are truncated. Three digits after the other separator are
 * thousands.
 */
export function parseNumber(
  printed: string,
  mark: DecimalMark,
): { cents: number; decimals: number } | undefined {
  const text = printed.trim().replace(/ ?([.,]) ?/g, '$1');
  const parts = /^(?<whole>[\d.,' ]*?)(?:(?<mark>[.,])(?<decimals>\d+))?$/.exec(text);
  if (!parts?.groups) return undefined;
  const whole = parts.groups['whole'] ?? '';
  const decimals = parts.groups['decimals'] ?? '';
  const isDecimal = decimals.length !== 3 || (parts.groups['mark'] === mark && !whole.includes(mark));
  const broken = decimals === '' && /^\d+ \d{2}$/.test(whole);
  if (broken) return sized(whole.replace(' ', ''), 2);
  if (!isDecimal) return sized(`${whole}${decimals}`.replace(/\D/g, '') + '00', 0);
  const digits = `${whole.replace(/\D/g, '')}${decimals.slice(0, 2).padEnd(2, '0')}`;
  return sized(digits, decimals.length);
}

function sized(digits: string, decimals: number): { cents: number; decimals: number } | undefined {
  if (digits.length === 0 || digits.length > 12) return undefined;
  return { cents: Number(digits), decimals };
}

/**
 * True if a minus sign stands before the number or its currency, if "-" or "CR" stands after it, or if it is
 * in brackets.
 */
export function isNegative(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(start - 8, 0), start);
  const after = text.slice(end, end + 2);
  if (/\($/.test(before) && after.startsWith(')')) return true;
  if (/(^|[\s(])-\s?(?:\p{Sc}|[A-Z]{3}(?= ))?\s?$/u.test(before)) return true;
  if (/\p{Sc}\s?-\s?$/u.test(before) || /^ ?CR(?![\p{L}\d])/u.test(text.slice(end))) return true;
  return after.startsWith('-') && !/[\d\p{L}]/u.test(after.slice(1));
}
