import { managerOf, within } from '@counterfoil/database';
import { AppError, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  type EndpointChange,
  EndpointRepository,
  type StoredEndpoint,
} from '../../application/ports/endpoint.repository';
import { LOCK_COMPANY } from './endpoint.sql';
import { EndpointSchema } from './webhook.schema';

@Injectable()
export class PostgresEndpointRepository extends EndpointRepository {
  override async countLocked(tx: Transaction, companyId: number): Promise<number> {
    await within(tx).rows(LOCK_COMPANY, { companyId });
    return managerOf(tx).countBy(EndpointSchema, { companyId, deletedAt: IsNull() });
  }

  override async insert(tx: Transaction, endpoint: StoredEndpoint): Promise<void> {
    await managerOf(tx).insert(EndpointSchema, { ...endpoint, events: [...endpoint.events] });
  }

  override async lock(tx: Transaction, companyId: number, endpointId: string): Promise<StoredEndpoint> {
    const found = await managerOf(tx).findOne(EndpointSchema, {
      where: { id: endpointId, companyId, deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
    if (!found) throw new AppError('NOT_FOUND', 'no such webhook endpoint');
    return found;
  }

  override async change(tx: Transaction, endpointId: string, change: EndpointChange): Promise<void> {
    const { events, formerSecrets, ...others } = change;
    await managerOf(tx).update(
      EndpointSchema,
      { id: endpointId },
      {
        ...others,
        ...(events ? { events: [...events] } : {}),
        ...(formerSecrets ? { formerSecrets: [...formerSecrets] } : {}),
      },
    );
  }
}
