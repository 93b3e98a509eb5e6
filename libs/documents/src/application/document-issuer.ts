import { randomUUID } from 'node:crypto';
import type { IdempotentCall } from '@counterfoil/idempotency';
import { FaultPoints, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../domain/actor';
import type { DocumentHeader } from '../domain/document';
import type { DraftDocument, Issuance } from '../domain/draft-document';
import { created } from './events';
import type { LinksInput } from '../domain/settlement';
import { ApprovalJobs } from './approval-jobs';
import { CreditLimits } from './credit-limits';
import { CreditNotes } from './credit-notes';
import { OpenDays } from './open-days';
import { DocumentRepository, type OpenedIssuance } from './ports/document.repository';
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

/** A document to issue, and its links. */
export interface Wanted {
  readonly draft: DraftDocument;
  readonly links: LinksInput;
  /** Of the client; null where it has none. */
  readonly creditLimit: number | null;
}

/**
 * The part that is the same for issuing by a call and by the recurring-billing job: the work inside the transaction.
 */
@Injectable()
export class DocumentIssuer {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly creditLimits: CreditLimits,
    private readonly creditNotes: CreditNotes,
    private readonly openDays: OpenDays,
    private readonly outbox: Outbox,
    private readonly approvals: ApprovalJobs,
    private readonly faults: FaultPoints,
  ) {}

  /** Opens the change, which locks the company's documents; checks the links; writes; settles; reports. */
  async issue(
    tx: Transaction,
    { companyId, actor }: Issuer,
    { draft: requested, links, creditLimit }: Wanted,
    call: IdempotentCall<IssuedDocument> | null,
  ): Promise<DocumentHeader> {
    this.faults.reach('issuance.begun');
    const { type, externalId } = requested;
    const key = call?.key ?? null;
    const opened = await this.documents.openIssuance(tx, companyId, { type, externalId, key });
    this.faults.reach('issuance.opened');
    await this.openDays.assertOpen(tx, companyId, requested.issueDate);
    const draft = await this.creditNotes.complete(tx, companyId, requested);
    const planned = await this.settlements.plan(tx, companyId, draft, links);
    await this.creditLimits.assertRoom(tx, companyId, draft, creditLimit);
    this.faults.reach('issuance.planned');
    const { items, payments, ...header } = draft;
    const document = { ...header, ...stateAfter(draft, planned), ...issuanceOf(opened) };
    const response = call && { key: call.key, text: call.responseTo({ document, alreadyExists: false }) };
    await this.documents.insert(tx, companyId, { document, items, payments, response });
    this.faults.reach('issuance.written');
    const carriedOut = { companyId, settling: document, change: opened, changedBy: actor };
    const { events } = await this.settlements.carryOut(tx, carriedOut, planned);
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
