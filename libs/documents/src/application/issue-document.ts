import { randomUUID } from 'node:crypto';
import { FaultPoints } from '@counterfoil/config';
import { Idempotency, type IdempotentCall, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import { AppError, type Caller, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { type Issuance, linksOf, type NewDocument } from '../domain/draft-document';
import { ApprovalJobs } from './approval-jobs';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { type Actor, actorOf, created } from './events';
import { IssuanceRules, type Wanted } from './issuance-rules';
import { DocumentRepository, ExternalIdTaken, type OpenedIssuance } from './ports/document.repository';
import { Settlements, stateAfter } from './settlements';

export interface IssuedDocument {
  readonly document: DocumentHeader;
  /** Nothing was issued now: the company has issued this document before, under the same external id. */
  readonly alreadyExists: boolean;
}

/** The actor that issues a document, and its company. */
export interface Issuer {
  readonly companyId: number;
  readonly actor: Actor;
}

/**
 * The part that is the same for issuing by a call and by the recurring-billing job: the work inside the transaction.
 */
@Injectable()
export class DocumentIssuer {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly rules: IssuanceRules,
    private readonly outbox: Outbox,
    private readonly approvals: ApprovalJobs,
    private readonly faults: FaultPoints,
  ) {}

  /** Opens the change, which locks the company's documents; checks the links; writes; settles; reports. */
  async issue(
    tx: Transaction,
    { companyId, actor }: Issuer,
    wanted: Wanted,
    call: IdempotentCall<IssuedDocument> | null,
  ): Promise<DocumentHeader> {
    this.faults.reach('issuance.begun');
    const { type, externalId, issueDate } = wanted.draft;
    const key = call?.key ?? null;
    const opened = await this.documents.openIssuance(tx, companyId, { type, externalId, key });
    this.faults.reach('issuance.opened');
    await this.rules.assertOpen(tx, companyId, issueDate);
    const planned = await this.rules.plan(tx, companyId, wanted);
    this.faults.reach('issuance.planned');
    const { items, payments, ...header } = planned.draft;
    const document = { ...header, ...stateAfter(planned.draft, planned.settlements), ...issuanceOf(opened) };
    const response = call && { key: call.key, text: call.responseTo({ document, alreadyExists: false }) };
    await this.documents.insert(tx, companyId, { document, items, payments, response });
    this.faults.reach('issuance.written');
    const carriedOut = { companyId, settling: document, change: opened, changedBy: actor };
    const { events } = await this.settlements.carryOut(tx, carriedOut, planned.settlements);
    this.faults.reach('issuance.settled');
    await this.outbox.append(tx, companyId, [created(document), ...events]);
    if (document.approvalNumberStatus === 'PENDING') this.approvals.signalAfter(tx, document.id);
    this.faults.reach('issuance.told');
    return document;
  }
}

function issuanceOf({ id, number, changeNumber, at }: OpenedIssuance): Issuance {
  return { id, number, changeNumber, visibleId: randomUUID(), createdAt: at, updatedAt: at };
}

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
