import { DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { AppError, type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Shares } from './ports/shares';

/** Ends a link at once, in all processes: each opening reads the database. */
@Injectable()
export class RevokeShare {
  constructor(
    private readonly documents: DocumentReader,
    private readonly transactions: Transactions,
    private readonly shares: Shares,
  ) {}

  /** @throws AppError `NOT_FOUND`; a link that is revoked already stays as it is */
  async execute({ companyId }: Caller, key: IssuedKey, id: number): Promise<void> {
    const document = await this.documents.identify(companyId, key);
    const share = document && { companyId, documentId: document.id, id };
    if (share && (await this.transactions.run((tx) => this.shares.revoke(tx, share)))) return;
    throw new AppError('NOT_FOUND', 'no such link to the document');
  }
}
