import { DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { AppError } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type ShareRow, Shares } from './ports/shares';

@Injectable()
export class ListShares {
  constructor(
    private readonly documents: DocumentReader,
    private readonly shares: Shares,
  ) {}

  /** @throws AppError `NOT_FOUND` for a document that the company has not issued */
  async execute(companyId: number, key: IssuedKey): Promise<AsyncGenerator<readonly ShareRow[]>> {
    const document = await this.documents.identify(companyId, key);
    if (document === null) throw new AppError('NOT_FOUND', 'no such issued document');
    return this.shares.list(companyId, document.id);
  }
}
