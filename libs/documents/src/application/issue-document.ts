import { randomUUID } from 'node:crypto';
import { FaultPoints } from '@counterfoil/config';
import { Idempotency, type IdempotentCall, IdempotencyKeyTaken } from '@counterfoil/idempotency';
import { type Caller, type Transaction, UnavailableError } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { type Issuance, linksOf, type NewDocument } from '../domain/draft-document';
import { AllocationNumberJobs } from './allocation-number-jobs';
import { DocumentDrafts, type Drafted } from './document-drafts';
import { partiesOf } from './document-parties';
import { DocumentTransactions } from './document-transactions';
import { type Actor, actorOf, created } from './events';
import { IssuanceRules, type Wanted } from './issuance-rules';
import type { DocumentParties } from './ports/document-parties';
import { DocumentRepository, ExternalIdTaken, type OpenedIssuance } from './ports/document.repository';
import { Settlements, stateAfter } from './settlements';

export interface IssuedDocument {
  readonly document: DocumentHeader;
  /**
   * True if the company had already issued this document under the same external id, so that none was issued
   * now.
   */
  readonly alreadyExists: boolean;
}

/** The company and the author of the document. */
export interface Issuer {
  readonly companyId: number;
  readonly actor: Actor;
}

/** A document to issue, with its links and its parties. */
export interface WantedIssuance extends Wanted {
  readonly parties: DocumentParties;
}

/** Issues a document inside a transaction. Calls and the job of retainers share this part. */
@Injectable()
export class DocumentIssuer {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly rules: IssuanceRules,
    private readonly outbox: Outbox,
    private readonly allocationNumberJobs: AllocationNumberJobs,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * Opens the change, which locks the company's documents. Then checks the links, writes the document and its
   * settlements, and appends the events.
   */
  async issue(
    tx: Transaction,
    { companyId, actor }: Issuer,
    wanted: WantedIssuance,
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
    const { parties } = wanted;
    await this.documents.insert(tx, companyId, { document, items, payments, parties, response });
    this.faults.reach('issuance.written');
    const carriedOut = { companyId, settling: document, change: opened, changedBy: actor };
    const { events } = await this.settlements.carryOut(tx, carriedOut, planned.settlements);
    this.faults.reach('issuance.settled');
    await this.outbox.append(tx, companyId, [created(document), ...events]);
    if (document.allocationNumberStatus === 'PENDING') this.allocationNumberJobs.signalAfter(tx, document.id);
    this.faults.reach('issuance.told');
    return document;
  }
}

export function wantedOf(
  { draft, company, entity, withholding }: Drafted,
  input: NewDocument,
): WantedIssuance {
  const { creditLimit } = entity;
  return { draft, links: linksOf(input), creditLimit, parties: partiesOf(company, entity, withholding) };
}

function issuanceOf({ id, number, changeNumber, at }: OpenedIssuance): Issuance {
  return { id, number, changeNumber, visibleId: randomUUID(), createdAt: at, updatedAt: at };
}

/**
 * Issues a document: numbers it, settles its links and writes its events, in one transaction (contract §8.4).
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
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` for a broken rule, `UNKNOWN_REFERENCE` for an entity, product or
   * document that the
   *   company does not have, `INVALID_STATE` for a linked document that is not open, `LIMIT_REACHED` beyond
   *   the client's
   *   credit limit. A refused call consumes no number and no key
   */
  async execute(
    caller: Caller,
    input: NewDocument,
    call: IdempotentCall<IssuedDocument> | null = null,
  ): Promise<IssuedDocument> {
    const existing = await this.issuedUnder(caller.companyId, input.externalId ?? null);
    if (existing) return this.answerExisting(caller, existing, call);
    const drafted = await this.drafts.draft(caller.companyId, input);
    this.faults.reach('issuance.drafted');
    return this.issueOrFind(caller, wantedOf(drafted, input), call);
  }

  private async issueOrFind(
    caller: Caller,
    wanted: WantedIssuance,
    call: IdempotentCall<IssuedDocument> | null,
  ): Promise<IssuedDocument> {
    const { companyId } = caller;
    try {
      // All slots are taken. Check the key now instead of after waiting for a slot.
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
      throw new UnavailableError('database', 'the document could not be read back', { retryAfterSeconds: 1 });
    }
  }

  /**
   * Stores the response under the key, like every response that is not an error, so that repeated calls get
   * the same response.
   */
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
