import { randomUUID } from 'node:crypto';
import { FaultPoints, type RetryKey, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../domain/actor';
import type { DocumentHeader } from '../domain/document';
import type { DraftDocument, Issuance } from '../domain/draft-document';
import { created } from '../domain/events';
import type { AskedLinks } from '../domain/settlement';
import { ApprovalJobs } from './approval-jobs';
import type { IssuanceFaultPoint } from './issuance-fault-points';
import { DocumentRepository, type OpenedIssuance } from './ports/document.repository';
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

/** Who issues a document, and for which company. */
export interface Issuer {
  readonly companyId: number;
  readonly actor: Actor;
}

/** A document that is to be issued, and what it is linked to. */
export interface Wanted {
  readonly draft: DraftDocument;
  readonly links: AskedLinks;
}

/** What issuing by a call and by the recurring-billing job have in common: what happens inside the transaction. */
@Injectable()
export class Issuances {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly outbox: Outbox,
    private readonly approvals: ApprovalJobs,
    private readonly faults: FaultPoints,
  ) {}

  /** Open, which locks the company's documents; look at what is linked; write; settle; tell. */
  async issue(
    tx: Transaction,
    { companyId, actor }: Issuer,
    { draft, links }: Wanted,
    repeatable: Repeatable | null,
  ): Promise<DocumentHeader> {
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
    const carriedOut = { companyId, settling: document, change: opened, changedBy: actor };
    const { events } = await this.settlements.carryOut(tx, carriedOut, planned);
    this.reach('issuance.settled');
    await this.outbox.append(tx, companyId, [created(document), ...events]);
    if (document.approvalNumberStatus === 'PENDING') this.approvals.signalAfter(tx, document.id);
    this.reach('issuance.told');
    return document;
  }

  private reach(point: IssuanceFaultPoint): void {
    this.faults.reach(point);
  }
}

function issuanceOf({ id, number, changeNumber, at }: OpenedIssuance): Issuance {
  return { id, number, changeNumber, visibleId: randomUUID(), createdAt: at, updatedAt: at };
}
