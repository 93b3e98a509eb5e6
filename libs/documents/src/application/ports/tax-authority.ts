import type { PlainDate } from '@counterfoil/kernel';
import type { DocumentType } from '../../domain/document-type';

/** The fields of a tax invoice for the tax authority. Amounts are in `currency`, 2 decimals. */
export interface InvoiceForApproval {
  /** The authority's id of the document: the same in every request, so that all of them count as one. */
  readonly documentVisibleId: string;
  readonly type: DocumentType;
  readonly number: number;
  /** The date that the document bears. */
  readonly issueDate: PlainDate;
  /** The day of issue, even if the document has another date. */
  readonly issuedOn: PlainDate;
  readonly currency: string;
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  /** Null when the company that issues never said. */
  readonly companyTaxId: string | null;
  readonly companyName: string;
  readonly customerTaxId: string;
  readonly customerName: string;
  /** 1 for the first ask. */
  readonly attempt: number;
}

/**
 * `assigned`: the number, 9 digits, as it is printed on the document. `later`: undecided; ask again. `refused`:
 * repeating the same request changes nothing. The reason is one line for the operator's log, without secrets.
 */
export type ApprovalAnswer =
  | { readonly kind: 'assigned'; readonly approvalNumber: string }
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Issues allocation numbers for tax invoices (contract §8.13). */
export abstract class TaxAuthority {
  /**
   * Asks for the allocation number of a document that is issued and committed. It may be asked any number of times,
   * also by two workers at once and after an answer that got lost: asking twice for one document yields one number.
   *
   * Answers within a minute, and is called outside of every transaction.
   *
   * @throws TaxAuthorityUnavailable when nobody knows what the answer is: ask again.
   */
  abstract request(invoice: InvoiceForApproval): Promise<ApprovalAnswer>;
}

/**
 * The authority could not be asked, would not let us ask, or answered nonsense. Says nothing about the invoice. The
 * message is for the operator's log and holds no secrets.
 */
export class TaxAuthorityUnavailable extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'TaxAuthorityUnavailable';
  }
}
