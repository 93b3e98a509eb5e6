import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type AttemptView,
  type DeliveryFilter,
  DeliveryReader,
  type DeliveryView,
} from '../../application/ports/delivery.reader';
import { DELIVERIES, type ShownRow } from './delivery.list';
import { FIND } from './delivery.sql';

const NEWEST = { by: 'newest', descending: true } as const;

@Injectable()
export class PostgresDeliveryReader extends DeliveryReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async list(
    endpointId: string,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryView>> {
    const list = new ListSql(DELIVERIES, endpointId, { filter, sort: NEWEST });
    const { data, pagination } = await readPage<ShownRow>(this.sql, list, page);
    return { data: viewsOf(data), pagination };
  }

  override async find(endpointId: string, deliveryId: number): Promise<DeliveryView | null> {
    return viewsOf(await this.sql.rows(FIND, { endpointId, deliveryId }))[0] ?? null;
  }
}

/** Groups rows, one for each attempt, into deliveries. */
function viewsOf(rows: readonly ShownRow[]): DeliveryView[] {
  const views = new Map<number, DeliveryView & { readonly attempts: AttemptView[] }>();
  for (const row of rows) {
    const { id, eventId, eventType, state, createdAt, nextAttemptAt } = row;
    const view = views.get(id) ?? { id, eventId, eventType, state, createdAt, nextAttemptAt, attempts: [] };
    views.set(id, view);
    if (row.attempt !== null) view.attempts.push(attemptOf(row));
  }
  return [...views.values()];
}

function attemptOf({ attempt, startedAt, durationMs, status, failure, response }: AttemptView): AttemptView {
  return { attempt, startedAt, durationMs, status, failure, response };
}
