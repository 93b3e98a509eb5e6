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
import { ATTEMPTS, DELIVERIES, DELIVERY_COLUMNS } from './delivery.list';

type DeliveryRow = Omit<DeliveryView, 'attempts'>;
/** Null throughout where the delivery has no attempt. */
type ShownRow = DeliveryRow & (AttemptView | { readonly attempt: null });

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
    const rows = await this.sql.rows<ShownRow>(
      `select ${DELIVERY_COLUMNS} from webhook_deliveries d ${ATTEMPTS}
        where d.id = $1 and d.endpoint_id = $2 order by a.attempt`,
      [deliveryId, endpointId],
    );
    return viewsOf(rows)[0] ?? null;
  }
}

/** One delivery of the rows that carry it, each with an attempt. */
function viewsOf(rows: readonly ShownRow[]): DeliveryView[] {
  const attempts = new Map<number, AttemptView[]>();
  const deliveries = new Map<number, DeliveryView>();
  for (const row of rows) {
    const { id, eventId, eventType, state, createdAt, nextAttemptAt } = row;
    const ofThis = attempts.get(id) ?? [];
    attempts.set(id, ofThis);
    if (!deliveries.has(id)) {
      deliveries.set(id, { id, eventId, eventType, state, createdAt, nextAttemptAt, attempts: ofThis });
    }
    if (row.attempt !== null) ofThis.push(attemptOf(row));
  }
  return [...deliveries.values()];
}

function attemptOf({ attempt, startedAt, durationMs, status, failure, response }: AttemptView): AttemptView {
  return { attempt, startedAt, durationMs, status, failure, response };
}
