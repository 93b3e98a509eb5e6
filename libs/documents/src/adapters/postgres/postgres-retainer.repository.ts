import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { RetainerRepository } from '../../application/ports/retainer.repository';
import type { Retainer } from '../../domain/retainer';
import { RetainerSchema } from './retainer.schema';

const STANDING = `
  from retainers r join schedules s on s.id = r.id
 where r.company_id = $1 and r.id = $2 and s.ended_at is null`;

@Injectable()
export class PostgresRetainerRepository extends RetainerRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(
    tx: Transaction,
    companyId: number,
    retainer: Retainer,
    createdAt: Date,
  ): Promise<void> {
    await managerOf(tx).insert(RetainerSchema, { ...retainer, companyId, createdAt });
  }

  override async find(companyId: number, id: number): Promise<Retainer | null> {
    const [found] = await this.sql.rows<Retainer>(
      `select r.id, r.entity_id as "entityId", r.document_type as "documentType", r.currency, r.items ${STANDING}`,
      [companyId, id],
    );
    return found ?? null;
  }

  override async has(companyId: number, id: number): Promise<boolean> {
    return (await this.sql.rows(`select 1 ${STANDING}`, [companyId, id])).length > 0;
  }
}
