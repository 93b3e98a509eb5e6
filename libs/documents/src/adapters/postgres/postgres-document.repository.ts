import { defer, isUniqueViolation, managerOf, Sql, within } from '@counterfoil/database';
import { asKeyTaken, IdempotencyKeyTaken, locksOf } from '@counterfoil/idempotency';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Any, In, IsNull } from 'typeorm';
import {
  type Change,
  type IssuanceRequest,
  DocumentRepository,
  ExternalIdTaken,
  type NewDocumentRecord,
  type OpenedIssuance,
} from '../../application/ports/document.repository';
import type { DocumentParties } from '../../application/ports/document-parties';
import type { CreditedSoFar } from '../../domain/credited';
import type { DocumentHeader } from '../../domain/document';
import type { Settlement } from '../../domain/settlement';
import { BALANCE_OF, CREDITED, FIND_HEADER, FIND_REPLACED, SAVE, VAT_RATE } from './document.sql';
import { DocumentSchema, type SettlementRow, SettlementSchema } from './document.schema';
import { INSERT_DOCUMENT, OPEN_CHANGE, OPEN_ISSUANCE, RECORD_PARTIES } from './issue-document.sql';

@Injectable()
export class PostgresDocumentRepository extends DocumentRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override openChange(tx: Transaction, companyId: number): Promise<Change> {
    return within(tx).only(OPEN_CHANGE, { companyId });
  }

  override async openIssuance(
    tx: Transaction,
    companyId: number,
    request: IssuanceRequest,
  ): Promise<OpenedIssuance> {
    const { key, externalId } = request;
    const locks = key && locksOf(companyId, key);
    const { taken, ...issuance } = await within(tx).only(OPEN_ISSUANCE, { companyId, request, locks });
    if (taken === 'key') throw new IdempotencyKeyTaken();
    if (taken !== null && externalId !== null) throw new ExternalIdTaken(externalId);
    return issuance;
  }

  override insert(tx: Transaction, companyId: number, record: NewDocumentRecord): Promise<void> {
    const { externalId } = record.document;
    return defer(tx, INSERT_DOCUMENT, { companyId, ...record }, (error) => takenIn(error, externalId));
  }

  override async recordParties(
    companyId: number,
    documentId: number,
    parties: DocumentParties,
  ): Promise<void> {
    await this.sql.rows(RECORD_PARTIES, { companyId, documentId, parties });
  }

  override issuedUnder(companyId: number, externalId: string): Promise<DocumentHeader | null> {
    return this.sql.first(FIND_HEADER, { companyId, externalId });
  }

  override async vatRateOf(companyId: number, documentId: number): Promise<number | null> {
    return (await this.sql.only(VAT_RATE, { companyId, documentId })).vatRate;
  }

  override async load(tx: Transaction, companyId: number, ids: readonly number[]): Promise<DocumentHeader[]> {
    if (ids.length === 0) return [];
    return managerOf(tx).findBy(DocumentSchema, { companyId, id: Any([...ids]) });
  }

  override loadByVisibleId(
    tx: Transaction,
    companyId: number,
    visibleId: string,
  ): Promise<DocumentHeader | null> {
    return managerOf(tx).findOneBy(DocumentSchema, { companyId, visibleId });
  }

  override async save(tx: Transaction, companyId: number, changed: readonly DocumentHeader[]): Promise<void> {
    if (changed.length > 0) await within(tx).rows(SAVE, { companyId, changed });
  }

  override creditedOf(tx: Transaction, companyId: number, documentId: number): Promise<CreditedSoFar> {
    return within(tx).only(CREDITED, { companyId, documentId });
  }

  override async balanceOf(tx: Transaction, companyId: number, entityId: number): Promise<number> {
    return (await within(tx).only(BALANCE_OF, { companyId, entityId })).balance;
  }

  override async replacedOf(
    tx: Transaction,
    companyId: number,
    ids: readonly number[],
  ): Promise<Set<number>> {
    const rows = await within(tx).rows(FIND_REPLACED, { companyId, ids });
    return new Set(rows.map(({ id }) => id));
  }

  override openCreditNotesOf(
    tx: Transaction,
    companyId: number,
    ids: readonly number[],
  ): Promise<DocumentHeader[]> {
    return managerOf(tx).find(DocumentSchema, {
      where: { companyId, refundOf: Any([...ids]), status: In(['OPEN', 'PARTIALLY_PAID']) },
      order: { id: 'ASC' },
    });
  }

  override async addSettlements(
    tx: Transaction,
    companyId: number,
    { settlingId, at }: { readonly settlingId: number; readonly at: Date },
    settlements: readonly Settlement[],
  ): Promise<void> {
    const rows = settlements.map((settlement) => ({ ...settlement, companyId, settlingId, createdAt: at }));
    await managerOf(tx).insert(SettlementSchema, rows);
  }

  override async reverseSettlements(
    tx: Transaction,
    companyId: number,
    { settlingId, at }: { readonly settlingId: number; readonly at: Date },
  ): Promise<Settlement[]> {
    const standing = { companyId, settlingId, reversedAt: IsNull() };
    const settlements: SettlementRow[] = await managerOf(tx).findBy(SettlementSchema, standing);
    await managerOf(tx).update(SettlementSchema, standing, { reversedAt: at });
    return settlements;
  }
}

/** Returns the error for a document whose external id or idempotency key is taken, or the same error. */
function takenIn(error: unknown, externalId: string | null): unknown {
  if (externalId !== null && isUniqueViolation(error, 'documents_external_id')) {
    return new ExternalIdTaken(externalId);
  }
  return asKeyTaken(error);
}
