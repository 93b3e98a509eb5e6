import { insertedId, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type EntityIds, EntityRepository, type NewEntity } from '../../application/ports/entity.repository';
import { PartySchema } from './entity.schema';

@Injectable()
export class PostgresEntityRepository extends EntityRepository {
  override async insert(tx: Transaction, entity: NewEntity): Promise<number> {
    return insertedId(await managerOf(tx).insert(PartySchema, entity));
  }

  override async markAsClient(
    tx: Transaction,
    companyId: number,
    entityId: number,
    at: Date,
  ): Promise<EntityIds | null> {
    const [rows] = await managerOf(tx).query<[EntityIds[], number]>(
      `update entities set is_client = true, updated_at = case when is_client then updated_at else $3 end
        where company_id = $1 and id = $2
        returning id, visible_id as "visibleId"`,
      [companyId, entityId, at],
    );
    return rows[0] ?? null;
  }
}
