import { Idempotency, type IdempotentCall, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import { AppError, type Caller, FaultPoints } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { actorOf } from '../domain/actor';
import type { DocumentHeader } from '../domain/document';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { DocumentIssuer, type IssuedDocument, type Wanted } from './document-issuer';
import { DocumentRepository, ExternalIdTaken } from './ports/document.repository';

/**
 * Issues a document: numbers it, settles its links and writes its events, all in one transaction or not at all
 * (contract §8.4).
 */
@Injectable()
export class IssueDocument {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly drafts: DocumentDrafts,
    private readonly documents: DocumentRepository,
    private readonly documentIssuer: DocumentIssuer,
    private readonly idempotency: Idempotency,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` for a broken rule, `UNKNOWN_REFERENCE` for an entity, product or document that
   *   the company does not have, `INVALID_STATE` for a linked document that is not open, `LIMIT_REACHED` beyond the
   *   client's credit limit. A refused call consumes no number and no key.
   */
  async execute(
    caller: Caller,
    input: NewDocument,
    call: IdempotentCall<IssuedDocument> | null = null,
  ): Promise<IssuedDocument> {
    const existing = await this.issuedUnder(caller.companyId, input.externalId ?? null);
    if (existing) return this.answerExisting(caller, existing, call);
    const { draft, entity } = await this.drafts.draft(caller.companyId, input);
    this.faults.reach('issuance.drafted');
    return this.issueOrFind(caller, { draft, links: linksOf(input), creditLimit: entity.creditLimit }, call);
  }

  private async issueOrFind(
    caller: Caller,
    wanted: Wanted,
    call: IdempotentCall<IssuedDocument> | null,
  ): Promise<IssuedDocument> {
    const { companyId } = caller;
    try {
      // All places are taken: look at the key now instead of after waiting for one.
      const waits = call !== null && this.transactions.areFull(companyId);
      if (waits && (await this.idempotency.isHeld(companyId, call.key))) throw new IdempotencyKeyTaken();
      const issuer = { companyId, actor: actorOf(caller) };
      const document = await this.transactions.run(companyId, (tx) =>
        this.documentIssuer.issue(tx, issuer, wanted, call),
      );
      this.faults.reach('issuance.committed');
      return { document, alreadyExists: false };
    } catch (error) {
      if (!(error instanceof ExternalIdTaken)) throw error;
      const existing = await this.issuedUnder(caller.companyId, error.externalId);
      if (existing) return this.answerExisting(caller, existing, call);
      throw new AppError('UNAVAILABLE', 'the document could not be read back', { retryAfterSeconds: 1 });
    }
  }

  /** Under a key the answer is stored, as every answer that is no error: the next such call is a replay of it. */
  private answerExisting(
    { companyId }: Caller,
    document: DocumentHeader,
    call: IdempotentCall<IssuedDocument> | null,
  ): Promise<IssuedDocument> {
    const issued = { document, alreadyExists: true };
    const keep = () => Promise.resolve(issued);
    return call ? this.idempotency.run(companyId, call, keep) : keep();
  }

  private issuedUnder(companyId: number, externalId: string | null): Promise<DocumentHeader | null> {
    return externalId === null ? Promise.resolve(null) : this.documents.issuedUnder(companyId, externalId);
  }
}
