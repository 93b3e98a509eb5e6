import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { EntityDirectory, type EntityEntry } from '../../application/ports/entity-directory';

@Injectable()
export class PostgresEntityDirectory extends EntityDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, entityId: number): Promise<EntityEntry | null> {
    const [entry] = await this.sql.rows<EntityEntry>(
      `select id, visible_id as "visibleId", name, tax_id as "taxId", type, special_vat as "specialVat",
              credit_limit as "creditLimit", round_document_total as "roundDocumentTotal",
              payment_term_type as "paymentTermType", payment_term_days as "paymentTermDays"
         from entities where company_id = $1 and id = $2`,
      [companyId, entityId],
    );
    return entry ?? null;
  }
}
