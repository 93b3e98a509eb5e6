import { Sql } from '@counterfoil/database';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type DocumentFilter,
  type DocumentKey,
  DocumentReader,
  type DocumentRecord,
} from '../../application/ports/document.reader';
import type { DocumentHeader, DocumentItem, DocumentPayment } from '../../domain/document';

const HEADER = `
  d.id, d.visible_id as "visibleId", d.type, d.number, d.external_id as "externalId", d.entity_id as "entityId",
  d.retainer_id as "retainerId", d.issue_date as "issueDate", d.due_date as "dueDate", d.currency, d.amount, d.tax,
  d.total_with_tax as "totalWithTax", d.status, d.remaining_amount as "remainingAmount",
  d.covered_amount as "coveredAmount", d.tax_authority_approval_number as "taxAuthorityApprovalNumber",
  d.approval_number_status as "approvalNumberStatus", d.cancelled, d.notes, d.created_at as "createdAt",
  d.updated_at as "updatedAt"`;

const KEY_COLUMNS = { id: 'd.id', visibleId: 'd.visible_id', externalId: 'd.external_id' } as const;

type HeaderWithEntity = DocumentHeader & { readonly entityVisibleId: string; readonly entityName: string };

@Injectable()
export class PostgresDocumentReader extends DocumentReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: DocumentKey): Promise<DocumentRecord | null> {
    const [[column, value]] = Object.entries(key) as [[keyof typeof KEY_COLUMNS, unknown]];
    const [found] = await this.sql.rows<HeaderWithEntity>(
      `select ${HEADER}, e.visible_id as "entityVisibleId", e.name as "entityName"
         from documents d join entities e on e.id = d.entity_id
        where d.company_id = $1 and ${KEY_COLUMNS[column]} = $2`,
      [companyId, value],
    );
    if (!found) return null;
    const { entityVisibleId, entityName, ...header } = found;
    const [items, payments] = await Promise.all([this.items(header.id), this.payments(header.id)]);
    return {
      ...header,
      items,
      payments,
      entity: { id: header.entityId, visibleId: entityVisibleId, name: entityName },
    };
  }

  override async list(
    companyId: number,
    filter: DocumentFilter,
    page: PageRequest,
  ): Promise<Page<DocumentHeader>> {
    const { where, parameters } = conditionsOf(companyId, filter);
    const next = parameters.length + 1;
    const [rows, [count]] = await Promise.all([
      this.sql.rows<DocumentHeader>(
        `select ${HEADER} from documents d where ${where}
          order by d.issue_date desc, d.id desc limit $${next} offset $${next + 1}`,
        [...parameters, page.limit, page.offset],
      ),
      this.sql.rows<{ total: number }>(
        `select count(*) as total from documents d where ${where}`,
        parameters,
      ),
    ]);
    return pageOf(rows, count?.total ?? 0, page);
  }

  private items(documentId: number): Promise<DocumentItem[]> {
    return this.sql.rows(
      `select description, quantity, unit_price as "unitPrice", discount_percent as "discountPercent",
              vat_rate as "vatRate", product_id as "productId", line_total as "lineTotal"
         from document_items where document_id = $1 order by position`,
      [documentId],
    );
  }

  private payments(documentId: number): Promise<DocumentPayment[]> {
    return this.sql.rows(
      'select method, amount, date from document_payments where document_id = $1 order by position',
      [documentId],
    );
  }
}

function conditionsOf(companyId: number, filter: DocumentFilter): { where: string; parameters: unknown[] } {
  const conditions: [sql: string, value: unknown][] = [
    ['d.company_id =', companyId],
    ['d.type =', filter.type],
    ['d.entity_id =', filter.entityId],
    ['d.status =', filter.status],
    ['d.issue_date >=', filter.startDate],
    ['d.issue_date <=', filter.endDate],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.map(([sql], index) => `${sql} $${index + 1}`).join(' and '),
    parameters: given.map(([, value]) => value),
  };
}
