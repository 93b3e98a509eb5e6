import type { Counterfoil, DeliveryBody, DeliveryState, QueryOf } from '@counterfoil/sdk';
import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { choice, count } from '../options';
import { firstRows, given, ROWS_DEFAULT } from '../rows';
import type { Column } from '../table';
import { DELIVERY_STATES } from '../values';

interface ListOptions {
  readonly endpoint?: string;
  readonly state?: DeliveryState;
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

type Query = QueryOf<'GET /webhooks/{id}/deliveries'>;
type Row = DeliveryBody & { readonly endpointId: string };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'EVENT', value: ({ eventType }) => eventType },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'CREATED', value: ({ createdAt }) => createdAt },
  { title: 'ATTEMPTS', value: ({ attempts }) => attempts.length },
  { title: 'STATUS', value: ({ attempts }) => attempts.at(-1)?.status },
  { title: 'ENDPOINT', value: ({ endpointId }) => endpointId },
];

export function registerDeliveriesList(deliveries: Command, context: Context): void {
  deliveries
    .command('list')
    .description('list deliveries, those of all endpoints one after the other')
    .option('--endpoint <id>', 'only those to this endpoint')
    .addOption(choice('--state <state>', 'only this state', DELIVERY_STATES))
    .option('--event <type>', 'only events of this type, such as document.created')
    .option('--since <time>', 'only those from this time on')
    .option('--until <time>', 'only those up to this time')
    .option('--limit <number>', 'as many at most of each endpoint', count, ROWS_DEFAULT)
    .addHelpText(
      'after',
      examples(
        'counterfoil deliveries list --state dropped',
        'counterfoil deliveries list --event document.created --since 2026-11-01 --json',
      ),
    )
    .action(async ({ endpoint, limit, event, state, since, until }: ListOptions) => {
      const query = given({ state, eventType: event, since, until }) as Query;
      const rows = rowsOf(await context.client(), { endpoint, limit, query, signal: context.signal });
      await context.output.list(rows, COLUMNS);
    });
}

interface Wanted {
  readonly endpoint: string | undefined;
  readonly limit: number;
  readonly query: Query;
  readonly signal: AbortSignal;
}

async function* rowsOf(
  { webhooks }: Counterfoil,
  { endpoint, limit, query, signal }: Wanted,
): AsyncGenerator<Row> {
  const endpoints = endpoint === undefined ? webhooks.list({}, { signal }) : [{ id: endpoint }];
  for await (const { id } of endpoints)
    for await (const row of firstRows(webhooks.deliveries.list(id, query, { signal }), limit))
      yield { endpointId: id, ...row };
}
