import { isCurrencyCode, isPlainDate } from '@counterfoil/kernel';
import type { ReceiptFields } from '../reading';
import { decimalMarkOf, findNumbers } from './amounts';
import { dateOrderOf, findDates } from './dates';
import { taxIdForm, withoutPrefix } from './tax-ids';

const LENGTH_MAX = 200;
/** Shorter names would match almost any text. */
const NAME_LENGTH_MIN = 3;
const NUMBER_LENGTH_MIN = 3;
const TAX_ID_LENGTH_MIN = 8;
/** The maximum number of pieces that a printed number may be split into. */
const PIECES_MAX = 8;
const SIGNS: Readonly<Record<string, RegExp>> = { ILS: /₪|ש"ח|ש״ח|NIS/, USD: /\$/, EUR: /€/, GBP: /£/ };

/**
 * Keeps only the reported fields that occur in the text. A value must have the right type and must occur as
 * separate words, as a date or as an amount. A tax id must have a valid check digit. All other fields are
 * dropped, whatever their confidence. A match does not prove that the value has the meaning of the field.
 *
 * @param said the fields as reported; any value
 * @param today YYYY-MM-DD; later dates are dropped
 */
export function confirmFields(said: unknown, text: string, today: string): ReceiptFields {
  if (typeof said !== 'object' || said === null) return {};
  const fields = said as Record<string, unknown>;
  const words = wordsOf(text);
  const amounts = amountsOf(text);
  const checks = {
    vendorName: worded((value) => value.length >= NAME_LENGTH_MIN && standsIn(words, value)),
    vendorTaxId: worded((value) => isTaxId(value) && standsIn(words, value)),
    documentNumber: worded((value) => isNumber(value) && standsIn(words, value)),
    date: worded((value) => value <= today && dateStands(value, text)),
    currency: worded((value) => isCurrencyCode(value) && (text.includes(value) || hasSign(text, value))),
    total: amount((cents) => cents > 0 && amounts.has(cents)),
    tax: amount((cents) => cents >= 0 && amounts.has(cents)),
  };
  const confirmed = Object.entries(checks).map(([name, check]) => [name, check(fields[name])] as const);
  return Object.fromEntries(confirmed.filter(([, value]) => value !== undefined));
}

const worded = (holds: (value: string) => boolean) => (value: unknown) => {
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return undefined;
  const trimmed = value.trim();
  return holds(trimmed) ? trimmed : undefined;
};

const amount = (holds: (cents: number) => boolean) => (value: unknown) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const cents = Math.round(value * 100);
  return cents / 100 === value && holds(cents) ? value : undefined;
};

const wordsOf = (text: string): string[] => text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const isNumber = (value: string) => /\d/.test(value) && value.length >= NUMBER_LENGTH_MIN;

const isTaxId = (value: string) =>
  value.replace(/\W/g, '').length >= TAX_ID_LENGTH_MIN && taxIdForm(withoutPrefix(value))?.valid === true;

const hasSign = (text: string, code: string) => SIGNS[code]?.test(text) ?? false;

/** True if consecutive whole words of the text form the value, ignoring spaces in both. */
function standsIn(words: readonly string[], value: string): boolean {
  const wanted = wordsOf(value).join('');
  if (wanted === '') return false;
  const pieces = Math.max(PIECES_MAX, wordsOf(value).length);
  return words.some((_, start) => {
    let joined = '';
    for (let end = start; end < start + pieces && joined.length < wanted.length; end++)
      joined += words[end] ?? '';
    return joined === wanted;
  });
}

function dateStands(date: string, text: string): boolean {
  if (!isPlainDate(date)) return false;
  const order = dateOrderOf(text);
  return text.split('\n').some((line) => findDates(line, order, true).some((found) => found.date === date));
}

/**
 * Returns the amounts in hundredths. A number without decimals may be a quantity or part of a number, so it
 * counts only in a line about money.
 */
function amountsOf(text: string): ReadonlySet<number> {
  const mark = decimalMarkOf(text);
  const found = text.split('\n').flatMap((line) => {
    const isOfMoney = /[\p{Sc}]|\b[A-Z]{3}\b|ש"ח/u.test(line);
    return findNumbers(line, mark, true).filter(({ decimals }) => decimals === 2 || isOfMoney);
  });
  return new Set(found.map(({ cents }) => cents));
}
