import type { BodyOf, RowOf } from '@counterfoil/sdk';

export type Retainer = RowOf<'GET /retainers'>;
export type Interval = Retainer['interval'];
export type RetainerType = Retainer['documentType'];

export const INTERVALS = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const satisfies readonly Interval[];

/** As the API lists them: the types that need only items. */
export const RETAINER_TYPES = [
  'TAX_INVOICE',
  'TAX_INVOICE_RECEIPT',
  'PROFORMA',
  'QUOTE',
  'ORDER',
  'DELIVERY_NOTE',
] as const satisfies readonly BodyOf<'POST /retainers/create'>['documentType'][];

/** A retainer may have missed at most this many runs when it is created (contract §8.14). */
export const MISSED_RUNS_MAX = 160;
const DAY_MS = 86_400_000;
const MONTHS: Readonly<Record<Interval, number>> = { WEEKLY: 0, MONTHLY: 1, YEARLY: 12 };

/** The date of a run, computed from the first one. A month that is too short has its last day. */
export function dateOfRun(first: string, interval: Interval, run: number): string {
  const start = new Date(`${first}T00:00:00Z`);
  if (interval === 'WEEKLY') return new Date(start.getTime() + run * 7 * DAY_MS).toISOString().slice(0, 10);
  const months = start.getUTCMonth() + run * MONTHS[interval];
  const daysOfMonth = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), daysOfMonth);
  return new Date(Date.UTC(start.getUTCFullYear(), months, day)).toISOString().slice(0, 10);
}

/** How many documents are due at once, up to and on `today`; counted up to one more than is allowed. */
export function countDueAtOnce(first: string, interval: Interval, today: string): number {
  if (!isDay(first)) return 0;
  let runs = 0;
  while (runs <= MISSED_RUNS_MAX && dateOfRun(first, interval, runs) <= today) runs += 1;
  return runs;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const ADVICE = {
  VALIDATION_FAILED: 'adviceCorrect',
  LIMIT_REACHED: 'adviceLimit',
  UNKNOWN_REFERENCE: 'adviceReference',
  INTERNAL: 'adviceInternal',
} as const;

/** The text that says what to do about a refusal. */
export const adviceOf = (code: string): (typeof ADVICE)[keyof typeof ADVICE] | 'adviceOther' =>
  Object.hasOwn(ADVICE, code) ? ADVICE[code as keyof typeof ADVICE] : 'adviceOther';
