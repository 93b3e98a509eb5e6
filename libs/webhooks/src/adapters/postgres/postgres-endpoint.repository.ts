import { insertRow, managerOf, purgeInBatches, Sql, within } from '@counterfoil/database';
import { AppError, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  type EndpointChange,
  type EndpointOutcome,
  EndpointRepository,
  type StoredEndpoint,
} from '../../application/ports/endpoint.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { FIND_ACTIVE, FIND_FAILING, LOCK_COMPANY, NOTE_OUTCOMES, PURGE } from './endpoint.sql';
import { EndpointSchema } from './webhook.schema';

@Injectable()
export class PostgresEndpointRepository extends EndpointRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async countLocked(tx: Transaction, companyId: number): Promise<number> {
    await within(tx).rows(LOCK_COMPANY, { companyId });
    return managerOf(tx).countBy(EndpointSchema, { companyId, deletedAt: IsNull() });
  }

  override async insert(tx: Transaction, endpoint: StoredEndpoint): Promise<void> {
    await insertRow(tx, EndpointSchema, { ...endpoint, events: [...endpoint.events] });
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

  override async isActive(endpointId: string): Promise<boolean> {
    return (await this.sql.first(FIND_ACTIVE, { endpointId })) !== null;
  }

  override async noteOutcomes(outcomes: readonly EndpointOutcome[], before: Date): Promise<EndpointRef[]> {
    await this.sql.rows(NOTE_OUTCOMES, { outcomes });
    const failed = outcomes.filter(({ acknowledged }) => !acknowledged);
    return failed.length === 0 ? [] : this.sql.rows(FIND_FAILING, { failed, before });
  }

  override purge(before: Date, signal: AbortSignal): Promise<void> {
    return purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
