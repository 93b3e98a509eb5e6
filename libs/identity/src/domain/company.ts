import type { PaymentTermType, PlainDate } from '@counterfoil/kernel';
import { type CompanyProfile, NO_PROFILE } from './company-profile';

export const TOTAL_ROUNDINGS = ['round', 'none'] as const;
export type TotalRounding = (typeof TOTAL_ROUNDINGS)[number];

/** Of a company. */
export const REMINDER_DAYS_MAX = 10;
/** In days before the due date. */
export const REMIND_BEFORE_MAX = 90;
/** In days after the due date. */
export const REMIND_AFTER_MAX = 365;

/** The settings that an owner makes for the whole company (contract §4.7). Rates are percents. */
export interface CompanySettings extends CompanyProfile {
  readonly name: string;
  readonly taxId: string | null;
  readonly defaultPaymentTermType: PaymentTermType;
  readonly defaultPaymentTermDays: number;
  readonly defaultWithholdingTaxRate: number;
  readonly defaultVatRate: number;
  /** Whether totals of documents are rounded to whole units of their currency. */
  readonly roundDocumentTotal: TotalRounding;
  /** The first day on which a document may be dated; null where every past day is open. */
  readonly booksClosedUntil: PlainDate | null;
  /** The days after the due date on which clients are reminded of a debt (contract §8.19), ascending, without duplicates. */
  readonly reminderDays: readonly number[];
}

export interface Company extends CompanySettings {
  readonly id: number;
}

/** A company as it starts out. VAT is 18 percent until its owner says otherwise (contract §4.7). */
export function newCompany(name: string): CompanySettings {
  return {
    name,
    taxId: null,
    defaultPaymentTermType: 'DAYS_ONLY',
    defaultPaymentTermDays: 30,
    defaultWithholdingTaxRate: 0,
    defaultVatRate: 18,
    roundDocumentTotal: 'none',
    booksClosedUntil: null,
    reminderDays: [],
    ...NO_PROFILE,
  };
}
