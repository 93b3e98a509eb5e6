import { AppError, type Caller, FaultPoints } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { actorOf } from '../domain/actor';
import type { DocumentHeader } from '../domain/document';
import { linksOf, type NewDocument } from '../domain/draft-document';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import type { IssuanceFaultPoint } from './issuance-fault-points';
import { Issuances, type IssuedDocument, type Repeatable, type Wanted } from './issuances';
import { DocumentRepository, ExternalIdTaken } from './ports/document.repository';
import { IdempotencyKeyTaken } from './ports/idempotency-keys';
import { Replays } from './replays';

/** What came of the call; `replayed` is the first response to a call with the same key, byte for byte. */
export type Issued = IssuedDocument | { readonly replayed: string };

/**
 * Issues a document: gives it its number, settles what it is linked to and tells of it, all in one transaction or not
 * at all (decisions §9).
 */
@Injectable()
export class IssueDocument {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly drafts: DocumentDrafts,
    private readonly documents: DocumentRepository,
    private readonly issuances: Issuances,
    private readonly replays: Replays,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * @param repeatable the idempotency key that the call came with; null when there was none
   * @throws AppError `VALIDATION_FAILED` for a broken rule, `UNKNOWN_REFERENCE` for an entity, product or document that
   *   the company does not have, `INVALID_STATE` for a linked document that is not open, `REQUEST_IN_PROGRESS` and
   *   `IDEMPOTENCY_KEY_REUSED`. A refused call consumes no number and no key.
   */
  execute(caller: Caller, asked: NewDocument): Promise<IssuedDocument>;
  execute(caller: Caller, asked: NewDocument, repeatable: Repeatable | null): Promise<Issued>;
  async execute(caller: Caller, asked: NewDocument, repeatable: Repeatable | null = null): Promise<Issued> {
    try {
      const existing = await this.issuedUnder(caller.companyId, asked.externalId ?? null);
      if (existing) return await this.answerExisting(caller, existing, repeatable);
      const { draft } = await this.drafts.draft(caller.companyId, asked);
      this.reach('issuance.drafted');
      return await this.issueOrFind(caller, { draft, links: linksOf(asked) }, repeatable);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken) || !repeatable) throw error;
      return { replayed: await this.replays.whenTaken(caller.companyId, repeatable.key) };
    }
  }

  private async issueOrFind(caller: Caller, wanted: Wanted, repeatable: Repeatable | null): Promise<Issued> {
    const { companyId } = caller;
    try {
      // It would wait for its turn before it could see that its key is taken.
      const waits = repeatable !== null && this.transactions.areFull(companyId);
      if (waits && (await this.replays.isHeld(companyId, repeatable.key))) throw new IdempotencyKeyTaken();
      const issuer = { companyId, actor: actorOf(caller) };
      const document = await this.transactions.run(companyId, (tx) =>
        this.issuances.issue(tx, issuer, wanted, repeatable),
      );
      this.reach('issuance.committed');
      return { document, alreadyExists: false };
    } catch (error) {
      if (!(error instanceof ExternalIdTaken)) throw error;
      const existing = await this.issuedUnder(caller.companyId, error.externalId);
      if (existing) return this.answerExisting(caller, existing, repeatable);
      throw new AppError('UNAVAILABLE', 'the document could not be read back', { retryAfterSeconds: 1 });
    }
  }

  /** Under a key the answer is stored, as every answer that is no error: the next such call is a replay of it. */
  private async answerExisting(
    { companyId }: Caller,
    document: DocumentHeader,
    repeatable: Repeatable | null,
  ): Promise<IssuedDocument> {
    const issued = { document, alreadyExists: true };
    if (repeatable) await this.replays.store(companyId, repeatable.key, repeatable.responseTo(issued));
    return issued;
  }

  private issuedUnder(companyId: number, externalId: string | null): Promise<DocumentHeader | null> {
    return externalId === null ? Promise.resolve(null) : this.documents.issuedUnder(companyId, externalId);
  }

  private reach(point: IssuanceFaultPoint): void {
    this.faults.reach(point);
  }
}
