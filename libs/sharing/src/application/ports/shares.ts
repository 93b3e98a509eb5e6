import type { DocumentLanguage, Transaction } from '@counterfoil/kernel';
import type { AskedStamp, RenditionStamp } from '@counterfoil/renditions';

/** The page that a link opens. */
export interface SharedPage {
  readonly stamp: RenditionStamp;
  /** Null: as the files of the document. */
  readonly language: DocumentLanguage | null;
  /** A page of the gateway on which the document can be paid; null for none. */
  readonly paymentPageId: number | null;
}

/** The page that a call asks for. */
export interface AskedPage extends Omit<SharedPage, 'stamp'>, AskedStamp {}

export interface NewShare extends SharedPage {
  readonly documentId: number;
  readonly publicId: string;
  readonly expiresAt: Date;
  /** The author, as in events: `api-key:7`. */
  readonly createdBy: string;
}

/** A share as the company sees it, without what opens it. */
export interface ShareRow extends SharedPage {
  readonly id: number;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly views: number;
  readonly firstViewedAt: Date | null;
  readonly lastViewedAt: Date | null;
}

/** A share that a link names. */
export interface LinkedShare extends SharedPage {
  readonly id: number;
  readonly companyId: number;
  readonly documentId: number;
  readonly expiresAt: Date;
  readonly isRevoked: boolean;
  /** By the clock of the database. */
  readonly isExpired: boolean;
}

export interface ShareViews {
  readonly views: number;
  readonly firstViewedAt: Date;
  /** Whether the last report of views is an hour old, or there was none. This is recorded as the report. */
  readonly isReportDue: boolean;
}

/** Stores the links to documents. */
export abstract class Shares {
  /**
   * Takes a lock of the document, so that calls at once do not exceed the limit together.
   *
   * @returns the id; null if the document has `LIVE_SHARES_MAX` links that are neither revoked nor expired
   */
  abstract insert(tx: Transaction, companyId: number, share: NewShare): Promise<number | null>;

  /** Null if there is none, or its company is suspended. Reads what was committed before the call. */
  abstract findLinked(companyId: number, publicId: string): Promise<LinkedShare | null>;

  /** The shares of a document, oldest first. */
  abstract list(companyId: number, documentId: number): AsyncGenerator<readonly ShareRow[]>;

  /**
   * Keeps the time of an earlier revocation.
   *
   * @returns false if the document has no such share
   */
  abstract revoke(tx: Transaction, share: ShareOfDocument): Promise<boolean>;

  /** Adds views. Locks the row of the views of this share until the end of the transaction. */
  abstract addViews(
    tx: Transaction,
    share: Pick<LinkedShare, 'id' | 'companyId'>,
    views: number,
  ): Promise<ShareViews>;
}

export interface ShareOfDocument {
  readonly companyId: number;
  readonly documentId: number;
  readonly id: number;
}
