import { purgeInBatches, Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type Redelivery,
  type RedeliveryProgress,
  type RedeliveryRange,
  RedeliveryRepository,
} from '../../application/ports/redelivery.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { END, FIND, FIND_RUNNING, FIND_UNFINISHED, INSERT, LOCK, PURGE, STEP } from './redelivery.sql';

@Injectable()
export class PostgresRedeliveryRepository extends RedeliveryRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(tx: Transaction, range: RedeliveryRange, now: Date): Promise<number> {
    return (await within(tx).only(INSERT, { range, now })).id;
  }

  override lock(tx: Transaction, id: number): Promise<Redelivery | null> {
    return within(tx).first(LOCK, { id });
  }

  override async step(tx: Transaction, redelivery: Redelivery, now: Date, limit: number): Promise<boolean> {
    return (await within(tx).only(STEP, { redelivery, now, limit })).goesOn;
  }

  override async running(tx: Transaction, endpointId: string): Promise<number | null> {
    return (await within(tx).first(FIND_RUNNING, { endpointId }))?.id ?? null;
  }

  override async unfinished(limit: number): Promise<number[]> {
    return (await this.sql.rows(FIND_UNFINISHED, { limit })).map(({ id }) => id);
  }

  override async end(tx: Transaction, endpointId: string, now: Date): Promise<void> {
    await within(tx).rows(END, { endpointId, now });
  }

  override find(endpoint: EndpointRef, id: number): Promise<RedeliveryProgress | null> {
    return this.sql.first(FIND, { ...endpoint, id });
  }

  override purge(before: Date, signal: AbortSignal): Promise<void> {
    return purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
