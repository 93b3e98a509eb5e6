import type { IdempotencyKey, Transaction } from '@counterfoil/kernel';
import type { Credited } from '../../domain/credited';
import type { DocumentHeader, DocumentItem, DocumentPayment } from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';
import type { Settlement } from '../../domain/settlement';

/** One change of a company's documents: its place in their order, and its time, to the millisecond. */
export interface Change {
  readonly changeNumber: number;
  readonly at: Date;
}

/** A change that issues a document: with the ids that it takes. */
export interface OpenedIssuance extends Change {
  readonly id: number;
  readonly number: number;
}

export interface NewDocumentRecord {
  readonly document: DocumentHeader;
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
  /** Kept under the key that the document was issued with; null when there was none. */
  readonly response: { readonly key: IdempotencyKey; readonly text: string } | null;
}

/** The part of a document to issue that opening a change needs. */
export interface IssuanceRequest {
  readonly type: DocumentType;
  readonly externalId: string | null;
  readonly key: IdempotencyKey | null;
}

/** The company has already issued a document under this external id. */
export class ExternalIdTaken extends Error {
  constructor(readonly externalId: string) {
    super(`a document with externalId ${externalId} exists`);
  }
}

/**
 * Writes documents. Every write belongs to a change, which is opened first and locks the company's documents until
 * the transaction ends: they change one after the other, and a read after opening stays valid.
 */
export abstract class DocumentRepository {
  /**
   * Opens a change of the company's documents. Changes are numbered, and timed by the database's clock, in the order
   * in which they are committed; a number that is rolled back may be given again.
   */
  abstract openChange(tx: Transaction, companyId: number): Promise<Change>;

  /**
   * Opens a change that issues a document: takes the next number of the type, which is given back by a rollback, and
   * claims the idempotency key, if there is one.
   *
   * @throws IdempotencyKeyTaken when the key is in use by a call that runs, or holds a response
   * @throws ExternalIdTaken when a document of the company has the external id
   */
  abstract openIssuance(
    tx: Transaction,
    companyId: number,
    request: IssuanceRequest,
  ): Promise<OpenedIssuance>;

  /**
   * Inserts a document with its items and payments, the response that is kept under its key, and, where it is
   * `PENDING`, the request for its allocation number.
   *
   * @throws ExternalIdTaken and IdempotencyKeyTaken where the indexes find what opening has already looked for
   */
  abstract insert(tx: Transaction, companyId: number, record: NewDocumentRecord): Promise<void>;

  /** The document that the company has issued under an external id; looked up without a lock. */
  abstract issuedUnder(companyId: number, externalId: string): Promise<DocumentHeader | null>;

  /**
   * The rate of all items of a document, in percent; null where they have several, or the company has no such document
   * with items. Looked up without a lock: items never change.
   */
  abstract vatRateOf(companyId: number, documentId: number): Promise<number | null>;

  /** The company's documents with these ids. Missing ones are left out. */
  abstract load(tx: Transaction, companyId: number, ids: readonly number[]): Promise<DocumentHeader[]>;

  /** Null when the company has no such document. */
  abstract loadByVisibleId(
    tx: Transaction,
    companyId: number,
    visibleId: string,
  ): Promise<DocumentHeader | null>;

  /** Writes what a change may change of documents: their settlement, cancellation and allocation number. */
  abstract save(tx: Transaction, companyId: number, changed: readonly DocumentHeader[]): Promise<void>;

  /** The sums over the credit notes against a document, without the cancelled ones. */
  abstract creditedOf(tx: Transaction, companyId: number, documentId: number): Promise<Credited>;

  /**
   * The balance of a client in ILS: the open amounts of its tax invoices less those of its receipts and credit notes.
   * Negative where it has paid ahead.
   */
  abstract balanceOf(tx: Transaction, companyId: number, entityId: number): Promise<number>;

  /** Those of the documents of which another document, that is no receipt, has taken the place. */
  abstract replacedOf(tx: Transaction, companyId: number, ids: readonly number[]): Promise<Set<number>>;

  /** The credit notes against these documents that have something left to give, the first issued first. */
  abstract openCreditNotesOf(
    tx: Transaction,
    companyId: number,
    ids: readonly number[],
  ): Promise<DocumentHeader[]>;

  abstract addSettlements(
    tx: Transaction,
    companyId: number,
    settling: { readonly settlingId: number; readonly at: Date },
    settlements: readonly Settlement[],
  ): Promise<void>;

  /** Takes back what a document settled, and answers what that was. */
  abstract reverseSettlements(
    tx: Transaction,
    companyId: number,
    settling: { readonly settlingId: number; readonly at: Date },
  ): Promise<Settlement[]>;
}
