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

/** A charge with all that was asked of its provider, in the order in which it was asked. */
export interface ChargeRecord extends Charge {
  readonly operations: readonly Operation[];
}

export interface PaymentPageRow extends PaymentPage {
  readonly pageKey: string;
  readonly status: PaymentPageStatus;
  /** The last charge on it, a declined one included. */
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
  /** Why the charge that is due next could not be made. */
  readonly refusal: RefusedRun | null;
  readonly createdAt: Date;
}

export abstract class PaymentsReader {
  /** The company's charges, the newest first. */
  abstract charges(companyId: number, filter: ChargeFilter, page: PageRequest): Promise<Page<Charge>>;

  /** Null when the company has no such charge. */
  abstract charge(companyId: number, id: number): Promise<ChargeRecord | null>;

  /** Every saved card of the company, oldest first, in batches. */
  abstract savedCards(companyId: number): AsyncIterable<readonly PaymentMethod[]>;

  /** The rows of a window, the newest first; the set is not counted (contract §2.7). */
  abstract paymentPages(companyId: number, page: PageRequest): Promise<PaymentPageRow[]>;

  /** The ones that have not ended; like `paymentPages`. */
  abstract recurringPayments(companyId: number, page: PageRequest): Promise<RecurringPaymentRow[]>;

  /** The page that a payer has come to; null when there is none. */
  abstract paymentPage(pageKey: string): Promise<PaymentPageRow | null>;
}
