import { randomUUID } from 'node:crypto';
import { AppError, type Caller, FaultPoints, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { actorOf } from '../domain/actor';
import type { DocumentHeader } from '../domain/document';
import { type DraftDocument, type Issuance, linksOf, type NewDocument } from '../domain/draft-document';
import { created } from '../domain/events';
import type { RetryKey } from '../domain/idempotency-key';
import type { AskedLinks } from '../domain/settlement';
import { ApprovalJobs } from './approval-jobs';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { DocumentRepository, ExternalIdTaken, type OpenedIssuance } from './ports/document.repository';
import type { IssuanceFaultPoint } from './issuance-fault-points';
import { IdempotencyKeyTaken } from './ports/idempotency-keys';
import { Replays } from './replays';
import { Settlements, stateAfter } from './settlements';

export interface IssuedDocument {
  readonly document: DocumentHeader;
  /** Nothing was issued now: the company has issued this document before, under the same external id. */
  readonly alreadyExists: boolean;
}

/** A call that may be repeated: its key, and what it is answered. */
export interface Repeatable {
  readonly key: RetryKey;
  /** The body of the answer, as it is stored and sent. The same for the same document. */
  readonly responseTo: (issued: IssuedDocument) => string;
}

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
    private readonly settlements: Settlements,
    private readonly replays: Replays,
    private readonly outbox: Outbox,
    private readonly approvals: ApprovalJobs,
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
      const document = await this.transactions.run(companyId, (tx) =>
        this.issue(tx, caller, wanted, repeatable),
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

  /** Open, which locks the company's documents; look at what is linked; write; settle; tell. */
  private async issue(
    tx: Transaction,
    caller: Caller,
    { draft, links }: Wanted,
    repeatable: Repeatable | null,
  ): Promise<DocumentHeader> {
    const { companyId } = caller;
    this.reach('issuance.begun');
    const { type, externalId } = draft;
    const key = repeatable?.key ?? null;
    const opened = await this.documents.openIssuance(tx, companyId, { type, externalId, key });
    this.reach('issuance.opened');
    const planned = await this.settlements.plan(tx, companyId, draft, links);
    this.reach('issuance.planned');
    const { items, payments, ...header } = draft;
    const document = { ...header, ...stateAfter(draft, planned), ...issuanceOf(opened) };
    const response = repeatable && {
      key: repeatable.key,
      text: repeatable.responseTo({ document, alreadyExists: false }),
    };
    await this.documents.insert(tx, companyId, { document, items, payments, response });
    this.reach('issuance.written');
    const carriedOut = { companyId, settling: document, change: opened, changedBy: actorOf(caller) };
    const { events } = await this.settlements.carryOut(tx, carriedOut, planned);
    this.reach('issuance.settled');
    await this.outbox.append(tx, companyId, [created(document), ...events]);
    if (document.approvalNumberStatus === 'PENDING') this.approvals.signalAfter(tx, document.id);
    this.reach('issuance.told');
    return document;
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

interface Wanted {
  readonly draft: DraftDocument;
  readonly links: AskedLinks;
}

function issuanceOf({ id, number, changeNumber, at }: OpenedIssuance): Issuance {
  return { id, number, changeNumber, visibleId: randomUUID(), createdAt: at, updatedAt: at };
}
