import type { Interval, PlainDate } from '@counterfoil/kernel';
import type { FilterFields, FilterOf, Page, PageRequest } from '@counterfoil/pagination';
import type { RefusedRun } from '@counterfoil/scheduling';
import { type Charge, CHARGE_STATUSES, type ChargeStatus } from '../../domain/charge';
import type { Operation } from '../../domain/operation';
import type { PaymentMethod } from '../../domain/payment-method';
import type { PaymentPageStatus } from '../../domain/payment-page';
import type { PaymentPage } from './payment-page.repository';
import type { RecurringPayment } from './recurring-payment.repository';

export const CHARGE_FILTERS = {
  status: { kind: 'choice', choices: CHARGE_STATUSES },
  tokenId: { kind: 'id', description: 'The id of a saved card.' },
  entityId: { kind: 'id', description: 'The numeric id of a client or vendor.' },
  documentId: { kind: 'id', description: 'The numeric id of a document.' },
} as const satisfies FilterFields;
export type ChargeFilter = FilterOf<typeof CHARGE_FILTERS>;

/** A charge with all its operations, in the order of the requests. */
export interface ChargeRecord extends Charge {
  readonly operations: readonly Operation[];
}

/** A saved card with the name of its owner. The last two are null if nobody is named. */
export interface SavedCard extends PaymentMethod {
  readonly entityVisibleId: string | null;
  readonly entityName: string | null;
}

export interface PaymentPageRow extends PaymentPage {
  readonly pageKey: string;
  readonly status: PaymentPageStatus;
  /** The last charge of the page, even if it was declined. */
  readonly chargeId: number | null;
  readonly createdAt: Date;
}

export interface RecurringPaymentRow extends RecurringPayment {
  readonly interval: Interval;
  readonly nextRunDate: PlainDate;
  readonly lastCharge: {
    readonly id: number;
    readonly status: ChargeStatus;
    readonly failureCode: string | null;
    readonly runDate: PlainDate;
  } | null;
  /** The reason why the next due charge could not be created. */
  readonly refusal: RefusedRun | null;
  readonly createdAt: Date;
}

export abstract class PaymentsReader {
  /** Lists the company's charges, newest first. */
  abstract charges(companyId: number, filter: ChargeFilter, page: PageRequest): Promise<Page<Charge>>;

  /** Returns null if the company has no such charge. */
  abstract charge(companyId: number, id: number): Promise<ChargeRecord | null>;

  /** Yields all saved cards of the company, oldest first, in batches. */
  abstract savedCards(companyId: number): AsyncIterable<readonly SavedCard[]>;

  /** Returns the rows of a page, newest first, without a total (contract §2.7). */
  abstract paymentPages(companyId: number, page: PageRequest): Promise<PaymentPageRow[]>;

  /** Returns null if the company has no such page. */
  abstract pageOfCompany(companyId: number, id: number): Promise<PaymentPageRow | null>;

  /** Returns active recurring payments, newest first, without a total (contract §2.7). */
  abstract recurringPayments(companyId: number, page: PageRequest): Promise<RecurringPaymentRow[]>;

  /** Returns the page with this key, or null. */
  abstract paymentPage(pageKey: string): Promise<PaymentPageRow | null>;
}
