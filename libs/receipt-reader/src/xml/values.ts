import { withoutPrefix } from '../fields/tax-ids';
import type { ReceiptFields } from '../reading';

/** The fields that a document states. A missing field is undefined. */
export interface Stated {
  readonly vendorName?: string | undefined;
  readonly vendorTaxId?: string | undefined;
  readonly documentNumber?: string | undefined;
  readonly date?: string | undefined;
  readonly currency?: string | undefined;
  readonly total?: number | undefined;
  readonly tax?: number | undefined;
}

const NAME_LENGTH_MAX = 200;
const NUMBER_LENGTH_MAX = 100;
const TAX_ID_LENGTH_MAX = 40;

/** Returns the valid fields. */
export function fieldsOf(stated: Stated): ReceiptFields {
  const all = {
    vendorName: shortEnough(stated.vendorName, NAME_LENGTH_MAX),
    vendorTaxId: taxId(stated.vendorTaxId),
    documentNumber: shortEnough(stated.documentNumber, NUMBER_LENGTH_MAX),
    date: isoDate(stated.date),
    currency: currencyCode(stated.currency),
    total: stated.total,
    tax: isTaxOf(stated.total, stated.tax) ? stated.tax : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** True if the tax fits the total. The tax of a credit note, whose total is negative, is not checked. */
function isTaxOf(total: number | undefined, tax: number | undefined): boolean {
  return total === undefined || tax === undefined || total < 0 || tax <= total;
}

/** `XXX` is the code for no currency. */
function currencyCode(text: string | undefined): string | undefined {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) && code !== 'XXX' ? code : undefined;
}

function shortEnough(text: string | undefined, lengthMax: number): string | undefined {
  return text === undefined || text === '' || text.length > lengthMax ? undefined : text;
}

/** As its country writes it, without spaces. A tax number must contain digits. */
function taxId(text: string | undefined): string | undefined {
  const compact = withoutPrefix(text?.replace(/\s/g, '') ?? '');
  return compact.length <= TAX_ID_LENGTH_MAX && /\d.*\d.*\d/.test(compact) ? compact : undefined;
}

/** Parses an ISO 8601 date in extended or basic format, with or without a time. */
function isoDate(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?!\d{1,3}(?!\d))/.exec(text?.trim() ?? '') ?? [];
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

/** Parses a decimal number of XML. A decimal comma is also accepted, unless it may separate thousands: 1,210. */
export function amount(text: string | undefined): number | undefined {
  const printed = text?.trim() ?? '';
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(printed)) return undefined;
  const plain = printed.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  return /^[+-]?(\d{1,15}(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** Adds amounts and rounds to cents, which removes floating-point errors. */
export function sum(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  return Math.round(known.reduce((total, one) => total + one, 0) * 10_000) / 10_000;
}

export function addsUp(net: number | undefined, tax: number | undefined, gross: number | undefined): boolean {
  if (net === undefined || tax === undefined || gross === undefined) return false;
  return Math.abs(net + tax - gross) < 0.015;
}
