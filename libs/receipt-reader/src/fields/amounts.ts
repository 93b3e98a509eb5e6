import { countOf } from './text';

/** Which mark stands before the cents. A document has one way of writing numbers. */
export type DecimalMark = '.' | ',';

/** A number as printed in a row. */
export interface PrintedNumber {
  readonly start: number;
  readonly end: number;
  /** In hundredths. */
  readonly cents: number;
  /** Digits after the decimal mark: money has two, or none. */
  readonly decimals: number;
  /** Read with a guess: a letter taken for a digit, or a mark that is missing. */
  readonly repaired: boolean;
}

/** Decides by the numbers whose two last marks, or two last digits, leave no doubt. */
export function decimalMarkOf(text: string): DecimalMark {
  const comma =
    countOf(text, /(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d{2}(?![\d,.]*\d)/g) +
    3 * countOf(text, /\d\.\d{3},\d{2}(?!\d)/g);
  const point =
    countOf(text, /(?<![\d.,/-])\d{1,3}(?:,\d{3})*\.\d{2}(?![\d,./-]*\d)/g) +
    3 * countOf(text, /\d,\d{3}\.\d{2}(?!\d)/g);
  if (comma === 0 && point === 0) return hasPointsForThousands(text) ? ',' : '.';
  return comma > point ? ',' : '.';
}

/** Where no cents are printed: millions, or money that has none (Rp 12.500), show what the point is for. */
function hasPointsForThousands(text: string): boolean {
  return /(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])|(?<!\p{L})(?:Rp|IDR|VND|CLP|COP)\.? ?\d{1,3}\.\d{3}(?!\d)/u.test(
    text,
  );
}

/**
 * Replaces characters that recognisers confuse with digits, where digits stand around them; the text keeps its
 * length. Only inside a number or after its decimal mark: "7.00S" is a price and a tax code.
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

/** In thousands, or as India groups them: 1,47,500.00. */
const NUMBER =
  /(?<![\p{L}\d.,/:_-])(?:\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?|\d{1,3}(?:(?<thousands>[.,' ])\d{3})(?:\k<thousands>\d{3})*(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,4})?|[.,]\d{2})(?![\d/:_]|[.,]\d|-\d)/gu;
/** The same after letters (RM12.50, TOTAL9.10), where two decimals leave no doubt. */
const GLUED = /(?<=\p{L}|[-:*])(?:\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:,?\d{3})*)\.\d{2}(?!\d|[./]\d)/gu;
/** "4 .70", "4. 70" and "4 70" are how recognisers break 4.70. */
const BROKEN = /(?<![\d.,] ?)\d{1,5}(?: ?[.,] | [.,] ?| )\d{2}(?![\d.,:/%]| ?\d)/g;

/** The numbers of a row's text. `recognised` text may have broken or misread digits. */
export function findNumbers(text: string, mark: DecimalMark, recognised: boolean): PrintedNumber[] {
  const repaired = recognised ? repairDigits(text) : text;
  const found: PrintedNumber[] = [];
  const take = (match: RegExpExecArray, guessed: boolean): void => {
    const [printed] = match;
    const end = match.index + printed.length;
    if (found.some((other) => match.index < other.end && other.start < end)) return;
    const changed = guessed || text.slice(match.index, end) !== printed;
    const number = parseNumber(printed, mark);
    if (number) found.push({ start: match.index, end, repaired: changed, ...number });
  };
  if (recognised) for (const match of repaired.matchAll(BROKEN)) takeBroken(match, take);
  for (const match of repaired.matchAll(NUMBER)) takeWhole(match, mark, recognised, take);
  for (const match of repaired.matchAll(GLUED)) take(match, false);
  return found.sort((one, other) => one.start - other.start);
}

type Take = (match: RegExpExecArray, guessed: boolean) => void;

/** A number broken by a mark and a space; without any mark only at the end of the text, as an amount stands. */
function takeBroken(match: RegExpExecArray, take: Take): void {
  const marked = /[.,]/.test(match[0]);
  const last = match.index + match[0].length === match.input.length;
  if (marked || (last && /\p{L}/u.test(match.input))) take(match, true);
}

/**
 * A single space divides thousands before the document's own decimal mark, as columns stand further apart. Of a
 * recognised page that is not sure: where the point is the mark, a space divides two numbers, and the last is a guess.
 */
function takeWhole(match: RegExpExecArray, mark: DecimalMark, recognised: boolean, take: Take): void {
  const spaced = match.groups?.['thousands'] === ' ';
  const priced = /[.,]\d{2}$/.test(match[0]) && match[0].at(-3) === mark;
  if (!spaced || (priced && (mark === ',' || !recognised))) {
    take(match, false);
    return;
  }
  let from = match.index;
  for (const part of match[0].split(' ')) {
    const piece = Object.assign([part] as unknown as RegExpExecArray, { index: from, input: match.input });
    take(piece, priced && from > match.index);
    from += part.length + 1;
  }
}

/**
 * The value of a printed number. Three digits after the document's own decimal mark are thousandths, cut off here;
 * after the other mark they are thousands. undefined when it is no number of money's size. */
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

/** How the sign is printed around a number: before it or its currency, after it (- or CR), or as brackets. */
export function isNegative(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(start - 8, 0), start);
  const after = text.slice(end, end + 2);
  if (/\($/.test(before) && after.startsWith(')')) return true;
  if (/(^|[\s(])-\s?(?:\p{Sc}|[A-Z]{3}(?= ))?\s?$/u.test(before)) return true;
  if (/\p{Sc}\s?-\s?$/u.test(before) || /^ ?CR(?![\p{L}\d])/u.test(text.slice(end))) return true;
  return after.startsWith('-') && !/[\d\p{L}]/u.test(after.slice(1));
}
