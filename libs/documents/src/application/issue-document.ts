import { randomUUID } from 'node:crypto';
import { IdentityReader } from '@counterfoil/identity';
import {
  AppError,
  type Caller,
  Clock,
  plainDateOf,
  Transactions,
  unknownReference,
} from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { EntityDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { draftDocument, type DraftDocument, type NewDocument } from '../domain/draft-document';
import { snapshotOf } from '../domain/snapshot';
import { DocumentReader } from './ports/document.reader';
import { DocumentRepository, ExternalIdTaken } from './ports/document.repository';

export interface IssuedDocument {
  readonly document: DocumentHeader;
  /** Nothing was issued now: the company has issued this document before, under the same external id. */
  readonly alreadyExists: boolean;
}

/** Issues a document: gives it its number and tells of it, all in one transaction or not at all (decisions §9). */
@Injectable()
export class IssueDocument {
  constructor(
    private readonly transactions: Transactions,
    private readonly documents: DocumentRepository,
    private readonly reader: DocumentReader,
    private readonly entities: EntityDirectory,
    private readonly identities: IdentityReader,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `VALIDATION_FAILED` for a broken rule, `UNKNOWN_REFERENCE` for an entity or product that the
   *   company does not have. A refused call consumes no number.
   */
  async execute(caller: Caller, asked: NewDocument): Promise<IssuedDocument> {
    const draft = await this.draft(caller, asked);
    if (draft.externalId !== null) {
      const existing = await this.reader.find(caller.companyId, { externalId: draft.externalId });
      if (existing) return { document: existing, alreadyExists: true };
    }
    try {
      return { document: await this.issue(caller, draft), alreadyExists: false };
    } catch (error) {
      if (error instanceof ExternalIdTaken) return this.issuedMeanwhile(caller, error.externalId);
      throw error;
    }
  }

  private async draft(caller: Caller, asked: NewDocument): Promise<DraftDocument> {
    const [company, entity] = await Promise.all([
      this.identities.company(caller.companyId),
      this.entities.find(caller.companyId, asked.entityId),
    ]);
    if (!company) throw new AppError('NOT_FOUND', 'no such company');
    if (!entity) throw unknownReference('entityId', 'client or vendor');
    const withProduct = asked.items.findIndex(({ productId }) => productId !== undefined);
    if (withProduct >= 0) throw unknownReference(`items[${withProduct}].productId`, 'product');
    return draftDocument(asked, { today: plainDateOf(this.clock.now()), vatRate: company.defaultVatRate });
  }

  /** Begin, lock, number, write, outbox, commit. The counter's lock is taken as late as can be. */
  private issue({ companyId }: Caller, draft: DraftDocument): Promise<DocumentHeader> {
    return this.transactions.run(async (tx) => {
      const number = await this.documents.nextNumber(tx, companyId, draft.type);
      // Read under the lock, so that numbers and times run in one order.
      const now = this.clock.now();
      const issuance = { visibleId: randomUUID(), number, createdAt: now, updatedAt: now };
      const id = await this.documents.insert(tx, companyId, draft, issuance);
      const document: DocumentHeader = { ...draft, ...issuance, id };
      await this.outbox.append(tx, {
        companyId,
        type: 'document.created',
        data: { document: snapshotOf(document) },
      });
      return document;
    });
  }

  private async issuedMeanwhile(caller: Caller, externalId: string): Promise<IssuedDocument> {
    const existing = await this.reader.find(caller.companyId, { externalId });
    if (!existing)
      throw new AppError('UNAVAILABLE', 'the document could not be read back', { retryAfterSeconds: 1 });
    return { document: existing, alreadyExists: true };
  }
}
