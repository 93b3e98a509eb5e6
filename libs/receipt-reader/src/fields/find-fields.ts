import type { Page } from '../page';
import { type Place, placeOn } from '../place';
import type { FieldName, ReadingSource, ReceiptFields } from '../reading';
import { Arithmetic } from './arithmetic';
import { Currencies, type FoundCurrency } from './currencies';
import { isHeadedOtherwise, isTitled, kindFeatures } from './document-kind';
import { dateCandidates } from './find-date';
import { numberCandidates } from './find-number';
import { taxCandidates, type Tax } from './find-tax';
import { misprintedTaxIds, taxIdCandidates } from './find-tax-id';
import { isSupported, totalCandidates } from './find-total';
import { vendorCandidates } from './find-vendor';
import { rank, type Candidate, type Features, type Ranked, type Stretch, type Weights } from './model';
import { findAmounts, taxRates, type Amount } from './money';
import { Parties } from './parties';
import { shareRight, type Reliability } from './reliability';
import { TOTAL_ROLES } from './roles';
import { cellAt, extentOf, toSheet, type Line, type Sheet } from './sheet';
import learned from './weights.json';

/** The input of the field search besides the pages. */
export interface FieldsContext {
  readonly source: ReadingSource;
  /** YYYY-MM-DD. A receipt cannot be dated later. */
  readonly today: string;
}

/** The fields that were found, with a confidence from 0 to 1 for each. */
export interface FoundFields {
  readonly fields: ReceiptFields;
  readonly confidence: Partial<Record<FieldName, number>>;
  /** Of the fields that are printed on a page with coordinates. */
  readonly places: Partial<Record<FieldName, Place>>;
}

const NOTHING: FoundFields = { fields: {}, confidence: {}, places: {} };

/** The fields that the model decides on. The currency is found by rules instead. */
export type LearnedField = Exclude<FieldName, 'currency'>;

export interface FieldModel {
  /** A value with a lower probability is left out. */
  readonly threshold: number;
  readonly reliability: Reliability;
  readonly weights: Weights;
}

export type Model = Readonly<Record<LearnedField, FieldModel>>;

/** A parsed sheet with its amounts, the input for all fields. */
export interface Prepared {
  readonly sheet: Sheet;
  readonly parties: Parties;
  readonly amounts: readonly Amount[];
  readonly arithmetic: Arithmetic;
  readonly currencies: Currencies;
  /** Features of the kind of document. */
  readonly kind: Features;
}

export function prepare(pages: readonly Page[], context: FieldsContext): Prepared {
  const sheet = toSheet(pages, context.source, context.today);
  const amounts = findAmounts(sheet);
  const rates = taxRates(sheet, amounts);
  const parties = new Parties(sheet);
  return {
    sheet,
    parties,
    amounts,
    arithmetic: new Arithmetic(amounts, rates),
    currencies: new Currencies(sheet.lines, parties),
    kind: kindFeatures(sheet),
  };
}

/** Returns all candidates of a field. Those of the tax depend on `total`, which is in hundredths. */
export function candidatesOf(
  field: LearnedField,
  prepared: Prepared,
  total: number | undefined,
): Candidate<string | Amount | Tax>[] {
  const candidates = plainCandidatesOf(field, prepared, total);
  // All kinds of documents name the vendor in the same way.
  if (field === 'vendorName' || field === 'vendorTaxId') return candidates;
  return candidates.map((candidate) => ({
    ...candidate,
    features: { ...candidate.features, ...prepared.kind },
  }));
}

function plainCandidatesOf(
  field: LearnedField,
  { sheet, parties, amounts, arithmetic, currencies }: Prepared,
  total: number | undefined,
): Candidate<string | Amount | Tax>[] {
  switch (field) {
    case 'vendorName':
      return vendorCandidates(sheet, parties);
    case 'vendorTaxId':
      return taxIdCandidates(sheet, parties);
    case 'documentNumber':
      return numberCandidates(sheet, parties);
    case 'date':
      return dateCandidates(sheet, parties);
    case 'total':
      return totalCandidates(sheet, inOwnCurrency(amounts, currencies), arithmetic);
    case 'tax':
      return taxCandidates(sheet, amounts, arithmetic, total);
  }
}

const totalRows = (amounts: readonly Amount[]): Set<Line> =>
  new Set(amounts.filter((amount) => TOTAL_ROLES.has(amount.role)).map((amount) => amount.line));

/** Drops amounts in rows with a foreign currency, unless all totals are in a foreign currency. */
function inOwnCurrency(amounts: readonly Amount[], currencies: Currencies): readonly Amount[] {
  const rows = totalRows(amounts);
  const own = currencies.find(rows)?.currency;
  const isOwn = (line: Line): boolean => (currencies.currencyOf(line) ?? own) === own;
  return [...rows].some(isOwn) ? amounts.filter(({ line }) => isOwn(line)) : amounts;
}

/** Returns the field value of a candidate: text, or money in major units. */
export const valueOf = (value: string | Amount | Tax): string | number =>
  typeof value === 'string' ? value : value.cents / 100;

const bestOf = <Value>(
  candidates: readonly Candidate<Value>[],
  { threshold, weights }: FieldModel,
): Ranked<Value> | undefined => rank(candidates, weights).find(({ probability }) => probability >= threshold);

/** The chosen candidate of a field, and how often such a choice is right. */
interface Found<Value> {
  readonly candidate: Candidate<Value>;
  readonly confidence: number;
}

/** Below what anyone takes without a look at the document. */
const MISPRINTED_CONFIDENCE = 0.3;

/** Returns the tax id whose check digit is wrong: a digit is misread or misprinted. */
function misprintedTaxId({ sheet, parties }: Prepared, model: FieldModel): Found<string> | undefined {
  const best = bestOf(misprintedTaxIds(sheet, parties), model);
  return best && { candidate: best.candidate, confidence: MISPRINTED_CONFIDENCE };
}

/**
 * Returns the best candidate if its probability reaches the threshold. A total from OCR also needs a label or
 * a matching sum.
 */
function decide(
  field: LearnedField,
  prepared: Prepared,
  model: FieldModel,
  total: number | undefined,
): Found<string | Amount | Tax> | undefined {
  const best = bestOf(candidatesOf(field, prepared, total), model);
  if (!best) return field === 'vendorTaxId' ? misprintedTaxId(prepared, model) : undefined;
  const doubtful = field === 'total' && prepared.sheet.source === 'ocr';
  if (doubtful && !isSupported(best.candidate as Candidate<Amount>)) return undefined;
  return { candidate: best.candidate, confidence: shareRight(model.reliability, best.probability) };
}

const ORDER: readonly LearnedField[] = [
  'total',
  'tax',
  'vendorName',
  'vendorTaxId',
  'documentNumber',
  'date',
];

/**
 * Without the title of a receipt or an invoice, a document needs an amount, and its heading must not name
 * another kind.
 */
function isReceipt({ sheet, amounts }: Prepared): boolean {
  if (isTitled(sheet)) return true;
  return amounts.length > 0 && (sheet.source === 'ocr' || !isHeadedOtherwise(sheet));
}

/** Returns the currency of the row of the total, or else of the document. */
function currencyOf({ amounts, currencies }: Prepared, total: Amount | undefined): FoundCurrency | undefined {
  const found = currencies.find(totalRows(amounts));
  const named = total && currencies.currencyOf(total.line);
  return found && named !== undefined && named !== found.currency ? { ...found, currency: named } : found;
}

export function findFieldsWith(model: Model, pages: readonly Page[], context: FieldsContext): FoundFields {
  const prepared = prepare(pages, context);
  if (!isReceipt(prepared)) return NOTHING;
  const fields: Record<string, string | number> = {};
  const confidence: Partial<Record<FieldName, number>> = {};
  const places: Partial<Record<FieldName, Place>> = {};
  let total: Amount | undefined;
  for (const field of ORDER) {
    const found = decide(field, prepared, model[field], total?.cents);
    if (field === 'total') total = found?.candidate.value as Amount | undefined;
    // Without a total or a receipt title, the dates and names probably belong to something else.
    if (total === undefined && !isTitled(prepared.sheet)) return NOTHING;
    if (!found) continue;
    fields[field] = valueOf(found.candidate.value);
    confidence[field] = Math.round(found.confidence * 1000) / 1000;
    const { at } = found.candidate;
    if (at && context.source !== 'text') places[field] = placeOf(at, pages);
  }
  const currency = currencyOf(prepared, total);
  if (currency) {
    fields['currency'] = currency.currency;
    confidence.currency = currency.confidence;
  }
  return { fields, confidence, places };
}

/** The height is that of the cell, because rows have no other. */
function placeOf({ line, start, end }: Stretch, pages: readonly Page[]): Place {
  const { x, right } = extentOf(line, start, end);
  const { y, height } = cellAt(line, start) ?? line;
  return placeOn(pages[line.page]!, line.page, { x, y, width: right - x, height });
}

/**
 * Finds the fields of a receipt or an invoice in the text of its pages. Missing or uncertain fields are left
 * out.
 */
export function findFields(pages: readonly Page[], context: FieldsContext): FoundFields {
  return findFieldsWith(learned, pages, context);
}
