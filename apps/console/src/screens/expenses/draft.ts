import type { BodyOf, Extraction, RowOf } from '@counterfoil/sdk';
import { isCurrency } from '../../parts/currency-code.ts';
import { numberOf } from '../../parts/number-text.ts';

export type CreateExpense = BodyOf<'POST /expenses/create'>;
export type EditExpense = BodyOf<'PUT /expenses/edit/{id}'>;
type ListedCost = RowOf<'GET /expenses'>;
/** A row of the list that is an expense, not a supplier invoice. */
export type ExpenseRow = Exclude<ListedCost, { readonly source: 'SUPPLIER_INVOICE' }>;

export interface NamedVendor {
  readonly id: number;
  readonly name: string;
}

/** An expense as it stands in the form. Amounts are texts, as they were typed. */
export interface Draft {
  readonly vendor: NamedVendor | null;
  readonly date: string;
  readonly documentNumber: string;
  readonly currency: string;
  readonly total: string;
  readonly tax: string;
  readonly deductableTax: string;
  readonly title: string;
  readonly notes: string;
  readonly isEquipment: boolean;
}

export type DraftField = keyof Draft;
export type DraftProblem = 'required' | 'amount' | 'positive' | 'currencyCode' | 'aboveTotal' | 'aboveTax';
export type DraftProblems = Readonly<Partial<Record<DraftField, DraftProblem>>>;

export const EMPTY_DRAFT: Draft = {
  vendor: null,
  ...{ date: '', documentNumber: '', currency: 'ILS', total: '', tax: '', deductableTax: '' },
  ...{ title: '', notes: '', isEquipment: false },
};

/** Reads an amount with at most 2 decimals; commas may separate thousands. Null for anything else. */
export const amountOf = (text: string): number | null => (/\.\d{3}/.test(text) ? null : numberOf(text));

const AMOUNTS = ['total', 'tax', 'deductableTax'] as const;

/** Finds what the service would refuse, so that it can be said in the language of the page. */
export function problemsOf(draft: Draft): DraftProblems {
  const found: Partial<Record<DraftField, DraftProblem>> = {};
  if (!draft.vendor) found.vendor = 'required';
  if (draft.date === '') found.date = 'required';
  if (!isCurrency(draft.currency.trim())) found.currency = 'currencyCode';
  for (const field of AMOUNTS) {
    const problem = amountProblem(draft[field]);
    if (problem) found[field] = problem;
  }
  return { ...relationsOf(draft), ...found };
}

function amountProblem(text: string): DraftProblem | null {
  if (text.trim() === '') return 'required';
  return amountOf(text) === null ? 'amount' : null;
}

/** The problems of amounts that do not fit each other. An unreadable one fits everything. */
function relationsOf(draft: Draft): DraftProblems {
  const [total = NaN, tax = NaN, deductable = NaN] = AMOUNTS.map((field) => amountOf(draft[field]) ?? NaN);
  return {
    ...(total === 0 && { total: 'positive' }),
    ...(tax > total && { tax: 'aboveTotal' }),
    ...(deductable > tax && { deductableTax: 'aboveTax' }),
  };
}

/** Returns the fields of a draft without problems, as the API takes them. */
function fieldsOf(draft: Draft) {
  return {
    vendorId: draft.vendor?.id ?? 0,
    date: draft.date,
    ...{ total: amountOf(draft.total) ?? 0, tax: amountOf(draft.tax) ?? 0 },
    deductableTax: amountOf(draft.deductableTax) ?? 0,
    currency: draft.currency.trim(),
    ...{ title: draft.title.trim(), documentNumber: draft.documentNumber.trim() },
    ...{ notes: draft.notes.trim(), isEquipment: draft.isEquipment },
  };
}

/** @param fileId the receipt */
export function creationOf(draft: Draft, fileId: number): CreateExpense {
  const { title, documentNumber, notes, ...rest } = fieldsOf(draft);
  return {
    ...rest,
    fileId,
    ...(title && { title }),
    ...(documentNumber && { documentNumber }),
    ...(notes && { notes }),
  };
}

/** Returns only the fields that differ: the service leaves the others, and an empty text clears its field. */
export function changesOf(before: Draft, after: Draft): EditExpense {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  const keys = (Object.keys(next) as (keyof typeof next)[]).filter((key) => old[key] !== next[key]);
  return Object.fromEntries(keys.map((key) => [key, next[key]]));
}

const DECIMALS = 2;

const amountText = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(DECIMALS);

/** Fills the form with what was read. The whole tax counts as deductible until somebody says otherwise. */
export function draftOfReading(
  { expenseData: read }: Pick<Extraction, 'expenseData'>,
  vendor: NamedVendor | null,
): Draft {
  const amount = (value: number | undefined) => (value === undefined ? '' : amountText(value));
  return {
    ...EMPTY_DRAFT,
    vendor,
    ...{ date: read.date ?? '', documentNumber: read.documentNumber ?? '' },
    currency: read.currency ?? 'ILS',
    ...{ total: amount(read.total), tax: amount(read.tax), deductableTax: amount(read.tax) },
  };
}

/** Fills the fields that are still as they were at the start; what was typed stays. */
export function withUntouched(draft: Draft, started: Draft, next: Draft): Draft {
  const fields = Object.keys(draft) as DraftField[];
  const touched = fields.filter((field) => JSON.stringify(draft[field]) !== JSON.stringify(started[field]));
  return { ...next, ...Object.fromEntries(touched.map((field) => [field, draft[field]])) };
}

export function draftOfExpense({ expense, vendor }: Pick<ExpenseRow, 'expense' | 'vendor'>): Draft {
  return {
    vendor,
    ...{ date: expense.date, documentNumber: expense.documentNumber ?? '', currency: expense.currency },
    ...{ total: amountText(expense.total), tax: amountText(expense.tax) },
    ...{ deductableTax: amountText(expense.deductableTax), title: expense.title ?? '' },
    ...{ notes: expense.notes ?? '', isEquipment: expense.isEquipment },
  };
}

/** The field of the form for a field that the API names in an error. */
export function fieldNamed(name: string): DraftField | null {
  if (name === 'vendorId' || name === 'entityId') return 'vendor';
  return name in EMPTY_DRAFT ? (name as DraftField) : null;
}
