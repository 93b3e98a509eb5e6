import { type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { CreditLimits } from './credit-limits';
import { CreditNotes } from './credit-notes';
import { DocumentDrafts, type Drafted, turnFor } from './document-drafts';
import { Settlements, stateAfter } from './settlements';

/** Computes a document as issuing it now would, and issues nothing (contract §8.10). */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly transactions: Transactions,
    private readonly drafts: DocumentDrafts,
    private readonly settlements: Settlements,
    private readonly creditLimits: CreditLimits,
    private readonly creditNotes: CreditNotes,
  ) {}

  /**
   * Resolves in a turn of its own for a large document, so that the caller may render it at once.
   *
   * @throws AppError as `IssueDocument` does, except for a taken external id
   */
  async execute({ companyId }: Caller, input: NewDocument): Promise<Drafted> {
    const drafted = await this.drafts.draft(companyId, input);
    const { draft, entity } = drafted;
    const outcome = await this.transactions.run(async (tx) => {
      const whole = await this.creditNotes.complete(tx, companyId, draft);
      const planned = await this.settlements.plan(tx, companyId, whole, linksOf(input));
      await this.creditLimits.assertRoom(tx, companyId, whole, entity.creditLimit);
      return { ...whole, ...stateAfter(whole, planned) };
    });
    await turnFor(companyId, input);
    return { ...drafted, draft: outcome };
  }
}
