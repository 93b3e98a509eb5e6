import { type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { DocumentDrafts, type Drafted } from './document-drafts';
import { Settlements, stateAfter } from './settlements';

/** Computes a document as issuing it now would, and issues nothing (spec: Documents). */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly transactions: Transactions,
    private readonly drafts: DocumentDrafts,
    private readonly settlements: Settlements,
  ) {}

  /** @throws AppError what `IssueDocument` refuses, but for an external id that is taken */
  async execute({ companyId }: Caller, asked: NewDocument): Promise<Drafted> {
    const drafted = await this.drafts.draft(companyId, asked);
    const planned = await this.transactions.run((tx) =>
      this.settlements.plan(tx, companyId, drafted.draft, linksOf(asked)),
    );
    return { ...drafted, draft: { ...drafted.draft, ...stateAfter(drafted.draft, planned) } };
  }
}
