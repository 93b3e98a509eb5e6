import { isUniqueViolation, managerOf, runPrepared, Sql } from '@counterfoil/database';
import { IdempotencyKeyTaken, locksOf } from '@counterfoil/idempotency';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Any, In, IsNull } from 'typeorm';
import {
  type Change,
  type AskedIssuance,
  DocumentRepository,
  ExternalIdTaken,
  type NewDocumentRecord,
  type OpenedIssuance,
} from '../../application/ports/document.repository';
import type { Credited } from '../../domain/credit-note';
import type { DocumentHeader } from '../../domain/document';
import type { Settlement } from '../../domain/settlement';
import { HEADER_COLUMNS } from './document-columns';
import { BUCKET_SHIFT } from './document-counts-sql';
import { DocumentSchema, type SettlementRow, SettlementSchema } from './document.schema';
import { INSERT_DOCUMENT, insertParameters, OPEN_CHANGE, OPEN_ISSUANCE } from './issue-document-sql';

/** Parameters: company, entity. Its conditions are those of the index `documents_open_balance`. */
export const BALANCE_OF = `
  select coalesce(sum(case type when 'TAX_INVOICE' then remaining_amount else -remaining_amount end), 0) as balance
    from documents
   where company_id = $1 and entity_id = $2 and type in ('TAX_INVOICE', 'RECEIPT', 'REFUND', 'RETURN')
     and status in ('OPEN', 'PARTIALLY_PAID') and currency = 'ILS'`;

@Injectable()
export class PostgresDocumentRepository extends DocumentRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async openChange(tx: Transaction, companyId: number): Promise<Change> {
    const [change] = await runPrepared<Change>(tx, OPEN_CHANGE, [companyId]);
    if (!change) throw new Error('the change returned no row');
    return change;
  }

  override async openIssuance(
    tx: Transaction,
    companyId: number,
    { type, externalId, key }: AskedIssuance,
  ): Promise<OpenedIssuance> {
    const locks = key && locksOf(companyId, key);
    const parameters = [key?.key, locks?.key, ...(locks?.call ?? [null, null])];
    const [opened] = await runPrepared<OpenedIssuance & { readonly taken: string | null }>(
      tx,
      OPEN_ISSUANCE,
      [...[companyId, type, externalId], ...parameters],
    );
    if (!opened) throw new Error('the issuance returned no row');
    const { taken, ...issuance } = opened;
    if (taken === 'key') throw new IdempotencyKeyTaken();
    if (taken !== null && externalId !== null) throw new ExternalIdTaken(externalId);
    return issuance;
  }

  override async insert(tx: Transaction, companyId: number, record: NewDocumentRecord): Promise<void> {
    try {
      await runPrepared(tx, INSERT_DOCUMENT, insertParameters(companyId, record));
    } catch (error) {
      const { externalId } = record.document;
      if (externalId !== null && isUniqueViolation(error, 'documents_external_id')) {
        throw new ExternalIdTaken(externalId);
      }
      throw isUniqueViolation(error, 'idempotency_keys_pkey') ? new IdempotencyKeyTaken() : error;
    }
  }

  override async issuedUnder(companyId: number, externalId: string): Promise<DocumentHeader | null> {
    const [document] = await this.sql.rows<DocumentHeader>(
      `select ${HEADER_COLUMNS} from documents d where d.company_id = $1 and d.external_id = $2`,
      [companyId, externalId],
    );
    return document ?? null;
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
    if (changed.length === 0) return;
    await managerOf(tx).query(
      `update documents d
          set status = n.status, remaining_amount = n.remaining_amount, covered_amount = n.covered_amount,
              cancelled = n.cancelled, cancellation_reason = n.cancellation_reason,
              tax_authority_approval_number = n.tax_authority_approval_number,
              approval_number_status = n.approval_number_status, updated_at = n.updated_at,
              change_number = n.change_number,
              counted_bucket = case when d.change_number >> ${BUCKET_SHIFT} < n.change_number >> ${BUCKET_SHIFT}
                then d.change_number >> ${BUCKET_SHIFT} else d.counted_bucket end
         from unnest($2::bigint[], $3::text[], $4::numeric[], $5::numeric[], $6::boolean[], $7::text[], $8::text[],
           $9::text[], $10::timestamptz[], $11::bigint[])
           as n (id, status, remaining_amount, covered_amount, cancelled, cancellation_reason,
             tax_authority_approval_number, approval_number_status, updated_at, change_number)
        where d.company_id = $1 and d.id = n.id`,
      [
        companyId,
        changed.map(({ id }) => id),
        changed.map(({ status }) => status),
        changed.map(({ remainingAmount }) => remainingAmount),
        changed.map(({ coveredAmount }) => coveredAmount),
        changed.map(({ cancelled }) => cancelled),
        changed.map(({ cancellationReason }) => cancellationReason),
        changed.map(({ taxAuthorityApprovalNumber }) => taxAuthorityApprovalNumber),
        changed.map(({ approvalNumberStatus }) => approvalNumberStatus),
        changed.map(({ updatedAt }) => updatedAt),
        changed.map(({ changeNumber }) => changeNumber),
      ],
    );
  }

  override async creditedOf(tx: Transaction, companyId: number, documentId: number): Promise<Credited> {
    const [row] = await managerOf(tx).query<Credited[]>(
      `select coalesce(sum(amount), 0) as amount, coalesce(sum(tax), 0) as tax,
              coalesce(sum(total_with_tax), 0) as "totalWithTax"
         from documents where company_id = $1 and refund_of = $2 and not cancelled`,
      [companyId, documentId],
    );
    return row ?? { amount: 0, tax: 0, totalWithTax: 0 };
  }

  override async balanceOf(tx: Transaction, companyId: number, entityId: number): Promise<number> {
    const [row] = await managerOf(tx).query<{ balance: number }[]>(BALANCE_OF, [companyId, entityId]);
    return row?.balance ?? 0;
  }

  override async replacedOf(
    tx: Transaction,
    companyId: number,
    ids: readonly number[],
  ): Promise<Set<number>> {
    const rows = await managerOf(tx).query<{ id: number }[]>(
      `select s.settled_id as id from document_settlements s join documents d on d.id = s.settling_id
        where s.company_id = $1 and s.settled_id = any($2) and s.kind = 'COVER' and s.reversed_at is null
          and d.type <> 'RECEIPT'`,
      [companyId, ids],
    );
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
