import { insertedId, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type EntityIds,
  EntityRepository,
  type NewEntity,
  type StoredEntity,
} from '../../application/ports/entity.repository';
import type { EntityDetails, EntityRole } from '../../domain/entity';
import { EntityContactSchema, PartySchema } from './entity.schema';

const ROLE_FIELDS = { vendor: 'isVendor', client: 'isClient' } as const;

@Injectable()
export class PostgresEntityRepository extends EntityRepository {
  override async insert(tx: Transaction, entity: NewEntity): Promise<number> {
    return insertedId(await managerOf(tx).insert(PartySchema, entity));
  }

  override async attachContact(tx: Transaction, entityId: number, contactId: number): Promise<void> {
    await managerOf(tx).insert(EntityContactSchema, { entityId, contactId });
  }

  override async giveRole(
    tx: Transaction,
    { companyId, id, role }: { readonly companyId: number; readonly id: number; readonly role: EntityRole },
    at: Date,
  ): Promise<EntityIds | null> {
    const column = `is_${role}`;
    const [rows] = await managerOf(tx).query<[EntityIds[], number]>(
      `update entities set ${column} = true, updated_at = case when ${column} then updated_at else $3 end
        where company_id = $1 and id = $2
        returning id, visible_id as "visibleId"`,
      [companyId, id, at],
    );
    return rows[0] ?? null;
  }

  override lock(
    tx: Transaction,
    companyId: number,
    { visibleId, role }: { readonly visibleId: string; readonly role: EntityRole },
  ): Promise<StoredEntity | null> {
    // Not against those who refer to it: its key does not change.
    return managerOf(tx).findOne(PartySchema, {
      where: { companyId, visibleId, [ROLE_FIELDS[role]]: true },
      lock: { mode: 'for_no_key_update' },
    });
  }

  override async update(
    tx: Transaction,
    id: number,
    changes: Partial<EntityDetails> & { readonly updatedAt: Date },
  ): Promise<void> {
    await managerOf(tx).update(PartySchema, { id }, changes);
  }
}
