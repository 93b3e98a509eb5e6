import { type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { DocumentDrafts, type Drafted, turnFor } from './document-drafts';
import { IssuanceRules } from './issuance-rules';
import { stateAfter } from './settlements';

/** Computes a document as issuing it now would, and issues nothing (contract §8.10). */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly transactions: Transactions,
    private readonly drafts: DocumentDrafts,
    private readonly rules: IssuanceRules,
  ) {}

  /**
   * Resolves in a turn of its own for a large document, so that the caller may render it at once.
   *
   * @throws AppError as `IssueDocument` does, except for a taken external id
   */
  async execute({ companyId }: Caller, input: NewDocument): Promise<Drafted> {
    const drafted = await this.drafts.draft(companyId, input);
    const { draft, entity } = drafted;
    const wanted = { draft, links: linksOf(input), creditLimit: entity.creditLimit };
    const planned = await this.transactions.run((tx) => this.rules.plan(tx, companyId, wanted));
    await turnFor(companyId, input);
    const settled = stateAfter(planned.draft, planned.settlements);
    return { ...drafted, draft: { ...planned.draft, ...settled } };
  }
}
