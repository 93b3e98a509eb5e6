import { Sql } from '@counterfoil/database';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  ATTEMPTS_SHOWN_MAX,
  type AttemptView,
  type DeliveryFilter,
  DeliveryReader,
  type DeliveryView,
} from '../../application/ports/delivery.reader';

type DeliveryRow = Omit<DeliveryView, 'attempts'>;
/** Null throughout where the delivery has no attempt. */
type ShownRow = DeliveryRow & (AttemptView | { readonly attempt: null });

const COLUMNS = `d.id, d.event_id as "eventId", d.event_type as "eventType", d.state, d.created_at as "createdAt",
  d.next_attempt_at as "nextAttemptAt"`;
/** In the same statement as the delivery, whose state is by them. */
const ATTEMPTS = `left join lateral (
  select attempt, started_at as "startedAt", duration_ms as "durationMs", status, failure, response
    from webhook_attempts where delivery_id = d.id order by attempt desc limit ${ATTEMPTS_SHOWN_MAX}) as a on true`;
const LATEST_FIRST = 'order by d.created_at desc, d.id desc';

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
    const { where, parameters } = conditionsOf(endpointId, filter);
    const next = parameters.length + 1;
    const [rows, [count]] = await Promise.all([
      this.sql.rows<ShownRow>(
        `select ${COLUMNS}, a.* from (
           select * from webhook_deliveries d where ${where} ${LATEST_FIRST} limit $${next} offset $${next + 1}
         ) as d ${ATTEMPTS} ${LATEST_FIRST}, a.attempt`,
        [...parameters, page.limit, page.offset],
      ),
      this.sql.rows<{ total: number }>(
        `select count(*) as total from webhook_deliveries where ${where}`,
        parameters,
      ),
    ]);
    return pageOf(viewsOf(rows), count?.total ?? 0, page);
  }

  override async find(endpointId: string, deliveryId: number): Promise<DeliveryView | null> {
    const rows = await this.sql.rows<ShownRow>(
      `select ${COLUMNS}, a.* from webhook_deliveries d ${ATTEMPTS}
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

function conditionsOf(endpointId: string, { state, eventType, eventId, since, until }: DeliveryFilter) {
  const conditions: readonly [sql: string, value: unknown][] = [
    ['endpoint_id =', endpointId],
    ['state =', state],
    ['event_type =', eventType],
    ['event_id =', eventId],
    ['created_at >=', since],
    ['created_at <=', until],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.map(([sql], index) => `${sql} $${index + 1}`).join(' and '),
    parameters: given.map(([, value]) => value),
  };
}
