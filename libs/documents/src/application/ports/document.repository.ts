import type { IdempotencyKey, Transaction } from '@counterfoil/kernel';
import type { CreditedSoFar } from '../../domain/credited';
import type { DocumentHeader, DocumentItem, DocumentPayment } from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';
import type { Settlement } from '../../domain/settlement';
import type { DocumentParties } from './document-parties';

/** One change of a company's documents: its number, and its time to the millisecond. */
export interface Change {
  readonly changeNumber: number;
  readonly at: Date;
}

/** A change that issues a document, with the ids of that document. */
export interface OpenedIssuance extends Change {
  readonly id: number;
  readonly number: number;
}

export interface NewDocumentRecord {
  readonly document: DocumentHeader;
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
  readonly parties: DocumentParties;
  /** The response stored under the document's idempotency key; null if it was issued without one. */
  readonly response: { readonly key: IdempotencyKey; readonly text: string } | null;
}

/** The fields of a document that opening its change needs. */
export interface IssuanceRequest {
  readonly type: DocumentType;
  readonly externalId: string | null;
  readonly key: IdempotencyKey | null;
}

/** Thrown if the company has already issued a document under this external id. */
export class ExternalIdTaken extends Error {
  constructor(readonly externalId: string) {
    super(`a document with externalId ${externalId} exists`);
  }
}

/**
 * Writes documents. Every write belongs to a change. Opening a change locks the company's documents until the
 * transaction ends, so changes run one after the other, and data read after opening stays valid.
 */
export abstract class DocumentRepository {
  /**
   * Opens a change of the company's documents. Changes are numbered in commit order, with the time of the
   * database's clock. A number may be reused after a rollback.
   */
  abstract openChange(tx: Transaction, companyId: number): Promise<Change>;

  /**
   * Opens a change that issues a document. Takes the next number of the type, which a rollback releases, and
   * claims the idempotency key, if there is one.
   *
   * @throws IdempotencyKeyTaken if a running call uses the key, or it has a stored response
   * @throws ExternalIdTaken if a document of the company has the external id
   */
  abstract openIssuance(
    tx: Transaction,
    companyId: number,
    request: IssuanceRequest,
  ): Promise<OpenedIssuance>;

  /**
   * Inserts a document with its items, payments and parties, and the response stored under its key. For a `PENDING`
   * document it also inserts the request for its allocation number.
   *
   * @throws ExternalIdTaken and IdempotencyKeyTaken, here or at the commit, if the unique indexes find a conflict
   */
  abstract insert(tx: Transaction, companyId: number, record: NewDocumentRecord): Promise<void>;

  /** Records the parties of a document that has none. Parties that are recorded stay. */
  abstract recordParties(companyId: number, documentId: number, parties: DocumentParties): Promise<void>;

  /** Returns the document of the company with this external id, without a lock. */
  abstract issuedUnder(companyId: number, externalId: string): Promise<DocumentHeader | null>;

  /**
   * Returns the VAT rate of all items of a document, in percent. Null if they have several rates, or the
   * company has no such document with items. It needs no lock, because items never change.
   */
  abstract vatRateOf(companyId: number, documentId: number): Promise<number | null>;

  /** Returns the company's documents with these ids. Missing ones are left out. */
  abstract load(tx: Transaction, companyId: number, ids: readonly number[]): Promise<DocumentHeader[]>;

  /** Null if the company has no such document. */
  abstract loadByVisibleId(
    tx: Transaction,
    companyId: number,
    visibleId: string,
  ): Promise<DocumentHeader | null>;

  /** Writes the fields of documents that may change: settlement, cancellation and allocation number. */
  abstract save(tx: Transaction, companyId: number, changed: readonly DocumentHeader[]): Promise<void>;

  /** Returns the sums over the credit notes of a document, without cancelled ones. */
  abstract creditedOf(tx: Transaction, companyId: number, documentId: number): Promise<CreditedSoFar>;

  /**
   * Returns the balance of a client in ILS: the open amounts of its tax invoices less those of its receipts
   * and credit notes. Negative if it has paid in advance.
   */
  abstract balanceOf(tx: Transaction, companyId: number, entityId: number): Promise<number>;

  /** Returns those of the documents that another document, other than a receipt, has replaced. */
  abstract replacedOf(tx: Transaction, companyId: number, ids: readonly number[]): Promise<Set<number>>;

  /** Returns the credit notes of these documents with an unused amount, in order of issue. */
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

  /** Reverts the settlements that a document made, and returns them. */
  abstract reverseSettlements(
    tx: Transaction,
    companyId: number,
    settling: { readonly settlingId: number; readonly at: Date },
  ): Promise<Settlement[]>;
}
