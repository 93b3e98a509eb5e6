import type { PlainDate } from '@counterfoil/kernel';
import type { DocumentType } from '../../domain/document-type';

/** The fields of a tax invoice for the tax authority. Amounts are in `currency`, with 2 decimals. */
export interface InvoiceForAllocationNumber {
  /**
   * Identifies the document for the authority. It is the same in every request, so that repeated requests
   * count as one.
   */
  readonly documentVisibleId: string;
  readonly type: DocumentType;
  readonly number: number;
  /** The date on the document. */
  readonly issueDate: PlainDate;
  /** The day of issue, even if the document has another date. */
  readonly issuedOn: PlainDate;
  readonly currency: string;
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  /** Null if the company has not entered it. */
  readonly companyTaxId: string | null;
  readonly companyName: string;
  readonly customerTaxId: string | null;
  readonly customerName: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

/**
 * `assigned`: the number, 9 digits, as printed on the document. `later`: undecided, ask again. `refused`: the
 * same request would be refused again; the reason is one line for the operator's log, without secrets.
 */
export type AllocationNumberAnswer =
  | { readonly kind: 'assigned'; readonly allocationNumber: string }
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Issues allocation numbers for tax invoices (contract §8.13). */
export abstract class TaxAuthority {
  /**
   * Requests the allocation number of a committed document. Repeated requests for a document yield the same
   * number, even from two workers at once or after a lost answer.
   *
   * Answers within a minute. Call it without an open transaction.
   *
   * @throws TaxAuthorityUnavailable if the answer is unknown; ask again
   */
  abstract request(invoice: InvoiceForAllocationNumber): Promise<AllocationNumberAnswer>;
}

/**
 * The authority could not be reached, denied access, or sent an invalid response. It says nothing about the
 * invoice. The message is for the operator's log and contains no secrets.
 */
export class TaxAuthorityUnavailable extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'TaxAuthorityUnavailable';
  }
}
