import { managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { EndpointRepository, type NewEndpoint } from '../../application/ports/endpoint.repository';
import { EndpointSchema } from './webhook.schema';

@Injectable()
export class PostgresEndpointRepository extends EndpointRepository {
  override async countLocked(tx: Transaction, companyId: number): Promise<number> {
    const manager = managerOf(tx);
    await manager.query('select 1 from companies where id = $1 for no key update', [companyId]);
    return manager.countBy(EndpointSchema, { companyId, deletedAt: IsNull() });
  }

  override async insert(tx: Transaction, endpoint: NewEndpoint): Promise<void> {
    await managerOf(tx).insert(EndpointSchema, { ...endpoint, events: [...endpoint.events] });
  }

  override async remove(tx: Transaction, companyId: number, endpointId: string, at: Date): Promise<boolean> {
    const manager = managerOf(tx);
    const scope = { id: endpointId, companyId, deletedAt: IsNull() };
    const { affected } = await manager.update(EndpointSchema, scope, { deletedAt: at });
    if (affected !== 1) return false;
    await manager.query(
      `update webhook_deliveries set state = 'dropped', next_attempt_at = null, finished_at = $2
        where endpoint_id = $1 and state in ('pending', 'waiting')`,
      [endpointId, at],
    );
    return true;
  }
}
