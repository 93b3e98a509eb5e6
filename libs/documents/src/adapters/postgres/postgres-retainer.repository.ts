import { insertRow, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { RetainerRepository } from '../../application/ports/retainer.repository';
import type { Retainer } from '../../domain/retainer';
import { RetainerSchema } from './retainer.schema';
import { FIND_RETAINER, RETAINER_EXISTS } from './retainer.sql';

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
    await insertRow(tx, RetainerSchema, { ...retainer, companyId, createdAt });
  }

  override find(companyId: number, id: number): Promise<Retainer | null> {
    return this.sql.first(FIND_RETAINER, { companyId, id });
  }

  override async has(companyId: number, id: number): Promise<boolean> {
    return (await this.sql.first(RETAINER_EXISTS, { companyId, id })) !== null;
  }
}
