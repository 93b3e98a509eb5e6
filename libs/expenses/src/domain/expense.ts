import type { PlainDate } from '@counterfoil/kernel';

/** The spending of a business, as on the vendor's document. Amounts of money have 2 decimals. */
export interface ExpenseDetails {
  /** The vendor's numeric entity id. */
  readonly entityId: number;
  /** The receipt. */
  readonly fileId: number;
  readonly date: PlainDate;
  /** Including tax. */
  readonly total: number;
  readonly tax: number;
  /** The reclaimable part of the tax. */
  readonly deductableTax: number;
  readonly title: string | null;
  /** The number that the vendor gave its document. */
  readonly documentNumber: string | null;
  readonly currency: string;
  readonly notes: string | null;
  /** A fixed asset rather than a running cost. */
  readonly isEquipment: boolean;
}

/** The amount of an expense in shekels, and the rate that it was converted with. */
export interface InShekels {
  /** Null when no rate was available. */
  readonly totalInILS: number | null;
  /** Shekels for `exchangeRateUnit` units of the currency; null for shekels, and when there was none. */
  readonly exchangeRate: number | null;
  readonly exchangeRateUnit: number | null;
  /** When that rate was published; at most 10 days before the expense. */
  readonly exchangeRateDate: PlainDate | null;
}

export interface Expense extends ExpenseDetails, InShekels {
  readonly id: number;
  readonly companyId: number;
  /** The user that recorded it. */
  readonly userId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The currency to which every total is converted. */
export const SHEKEL = 'ILS';

/** The fields of `changes` that differ from what there is. */
export function realChanges(
  before: ExpenseDetails,
  changes: Partial<ExpenseDetails>,
): Partial<ExpenseDetails> {
  const keys = Object.keys(changes) as (keyof ExpenseDetails)[];
  const different = keys.filter((key) => changes[key] !== undefined && changes[key] !== before[key]);
  return Object.fromEntries(different.map((key) => [key, changes[key]]));
}

/** Whether the amount in shekels changes (contract §11.8). */
export function changesShekels(changes: Partial<ExpenseDetails>): boolean {
  return (['date', 'currency', 'total'] as const).some((key) => key in changes);
}
