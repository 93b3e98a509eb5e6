import { insertedId, isUniqueViolation, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  DocumentRepository,
  ExternalIdTaken,
  type Issuance,
} from '../../application/ports/document.repository';
import type { DocumentType } from '../../domain/document-type';
import type { DraftDocument } from '../../domain/draft-document';
import { DocumentItemSchema, DocumentPaymentSchema, DocumentSchema } from './document.schema';

@Injectable()
export class PostgresDocumentRepository extends DocumentRepository {
  override async nextNumber(tx: Transaction, companyId: number, type: DocumentType): Promise<number> {
    const [row] = await managerOf(tx).query<{ last_number: number }[]>(
      `insert into document_counters as c (company_id, type, last_number) values ($1, $2, 1)
       on conflict (company_id, type) do update set last_number = c.last_number + 1
       returning last_number`,
      [companyId, type],
    );
    if (!row) throw new Error('the counter returned no row');
    return row.last_number;
  }

  override async insert(
    tx: Transaction,
    companyId: number,
    draft: DraftDocument,
    issuance: Issuance,
  ): Promise<number> {
    const { items, payments, ...header } = draft;
    const documentId = await this.insertHeader(tx, { ...header, ...issuance, companyId });
    const manager = managerOf(tx);
    if (items.length > 0) {
      await manager.insert(
        DocumentItemSchema,
        items.map((item, position) => ({ ...item, documentId, position })),
      );
    }
    if (payments.length > 0) {
      const rows = payments.map((payment, position) => ({ ...payment, documentId, position }));
      await manager.insert(DocumentPaymentSchema, rows);
    }
    return documentId;
  }

  private async insertHeader(
    tx: Transaction,
    header: Omit<DraftDocument, 'items' | 'payments'> & Issuance & { companyId: number },
  ): Promise<number> {
    try {
      return insertedId(await managerOf(tx).insert(DocumentSchema, header));
    } catch (error) {
      if (header.externalId !== null && isUniqueViolation(error, 'documents_external_id')) {
        throw new ExternalIdTaken(header.externalId);
      }
      throw error;
    }
  }
}
