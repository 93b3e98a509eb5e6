import { type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { DocumentType } from '../domain/document-type';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { DocumentDrafts, type Drafted, turnFor } from './document-drafts';
import { IssuanceRules } from './issuance-rules';
import type { SettledDocument } from './ports/document.reader';
import { type PlannedSettlement, stateAfter } from './settlements';

export interface Previewed extends Drafted {
  /** The documents that it would settle if it were issued: pay, cover or credit. */
  readonly settledAtIssue: readonly SettledDocument[];
}

/** Computes a document as if it were issued now, without issuing it (contract §8.10). */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly transactions: Transactions,
    private readonly drafts: DocumentDrafts,
    private readonly rules: IssuanceRules,
  ) {}

  /**
   * For a large document, resolves in a turn of the event loop, so that the caller may render it at once.
   *
   * @throws AppError the errors of `IssueDocument`, except for a taken external id
   */
  async execute({ companyId }: Pick<Caller, 'companyId'>, input: NewDocument): Promise<Previewed> {
    const drafted = await this.drafts.draft(companyId, input);
    const { draft, entity } = drafted;
    const wanted = { draft, links: linksOf(input), creditLimit: entity.creditLimit };
    const planned = await this.transactions.run((tx) => this.rules.plan(tx, companyId, wanted));
    await turnFor(companyId, input);
    const settled = stateAfter(planned.draft, planned.settlements);
    const settledAtIssue = planned.settlements.map((settlement) => settledBy(draft.type, settlement));
    return { ...drafted, draft: { ...planned.draft, ...settled }, settledAtIssue };
  }
}

function settledBy(by: DocumentType, { target, amount }: PlannedSettlement): SettledDocument {
  const { type, number } = target;
  return { type, number, amount: by === 'RECEIPT' ? amount : null };
}
