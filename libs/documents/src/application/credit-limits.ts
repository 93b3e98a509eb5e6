import { AppError, sum, toMoney, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { isDebt } from '../domain/document-type';
import type { DraftDocument } from '../domain/draft-document';
import { DocumentRepository } from './ports/document.repository';

/** The currency of credit limits. Documents in others are not counted. */
const CURRENCY = 'ILS';

/** Keeps what a client owes within its credit limit (docs/documents.md). */
@Injectable()
export class CreditLimits {
  constructor(private readonly documents: DocumentRepository) {}

  /**
   * Call it where no other document of the company can be issued before the transaction ends.
   *
   * @param creditLimit null where the client has none
   * @throws AppError `LIMIT_REACHED` where the document would make the client owe more than its limit
   */
  async assertRoom(
    tx: Transaction,
    companyId: number,
    draft: DraftDocument,
    creditLimit: number | null,
  ): Promise<void> {
    const { type, currency, entityId, totalWithTax } = draft;
    if (creditLimit === null || !isDebt(type) || currency !== CURRENCY || totalWithTax === 0) return;
    const balance = await this.documents.balanceOf(tx, companyId, entityId);
    const owed = toMoney(sum([balance, totalWithTax]));
    if (owed <= creditLimit) return;
    throw new AppError(
      'LIMIT_REACHED',
      `the client would owe ${owed} ${CURRENCY}, and its creditLimit is ${creditLimit}`,
    );
  }
}
