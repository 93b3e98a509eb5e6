import type { PlainDate } from '@counterfoil/kernel';

/** An expense as stated on the vendor's document. Amounts of money have 2 decimals. */
export interface ExpenseDetails {
  /** The vendor's numeric entity id. */
  readonly entityId: number;
  /** The id of the receipt file. */
  readonly fileId: number;
  readonly date: PlainDate;
  /** Including tax. */
  readonly total: number;
  readonly tax: number;
  /** The reclaimable part of the tax. */
  readonly deductableTax: number;
  readonly title: string | null;
  /** The vendor's document number. */
  readonly documentNumber: string | null;
  readonly currency: string;
  readonly notes: string | null;
  /** True for a fixed asset, false for a running cost. */
  readonly isEquipment: boolean;
}

/** The amount of an expense in shekels, and the rate used. */
export interface InShekels {
  /** Null if no rate was available. */
  readonly totalInILS: number | null;
  /** Shekels for `exchangeRateUnit` units of the currency. Null for shekels, and if there was no rate. */
  readonly exchangeRate: number | null;
  readonly exchangeRateUnit: number | null;
  /** The day of that rate; at most 10 days before the expense. */
  readonly exchangeRateDate: PlainDate | null;
}

export interface Expense extends ExpenseDetails, InShekels {
  readonly id: number;
  readonly companyId: number;
  /** The user who recorded it. */
  readonly userId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The currency to which all totals are converted. */
export const SHEKEL = 'ILS';

/** Returns the fields of `changes` that differ from the current values. */
export function realChanges(
  before: ExpenseDetails,
  changes: Partial<ExpenseDetails>,
): Partial<ExpenseDetails> {
  const keys = Object.keys(changes) as (keyof ExpenseDetails)[];
  const different = keys.filter((key) => changes[key] !== undefined && changes[key] !== before[key]);
  return Object.fromEntries(different.map((key) => [key, changes[key]]));
}

/** True if the amount in shekels must be converted again (contract §11.8). */
export function changesShekels(changes: Partial<ExpenseDetails>): boolean {
  return (['date', 'currency', 'total'] as const).some((key) => key in changes);
}
