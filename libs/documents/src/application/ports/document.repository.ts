import type { Transaction } from '@counterfoil/kernel';
import type { DocumentHeader } from '../../domain/document';
import type { DocumentType } from '../../domain/document-type';
import type { DraftDocument } from '../../domain/draft-document';

/** What issuing adds to a draft. */
export type Issuance = Pick<DocumentHeader, 'visibleId' | 'number' | 'createdAt' | 'updatedAt'>;

/** The company has already issued a document under this external id. */
export class ExternalIdTaken extends Error {
  constructor(readonly externalId: string) {
    super(`a document with externalId ${externalId} exists`);
  }
}

/** Writes documents. */
export abstract class DocumentRepository {
  /**
   * The next number of the company's documents of this type. Locks the company's counter of the type until the
   * transaction ends: numbers are given in the order of commits, and one that rolls back gives its number back.
   */
  abstract nextNumber(tx: Transaction, companyId: number, type: DocumentType): Promise<number>;

  /**
   * Inserts a document with its items and payments.
   *
   * @returns its numeric id
   * @throws ExternalIdTaken when another document of the company has its external id, also one committed meanwhile
   */
  abstract insert(
    tx: Transaction,
    companyId: number,
    draft: DraftDocument,
    issuance: Issuance,
  ): Promise<number>;
}
