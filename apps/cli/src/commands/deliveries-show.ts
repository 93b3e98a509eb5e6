import type { Command } from 'commander';
import type { Context } from '../context';
import { details } from '../details';
import { findDelivery, type FoundDelivery } from '../find-delivery';
import { examples } from '../help';
import { count } from '../options';
import { printable } from '../printable';
import { type Column, tableLines, widthsOf } from '../table';

const ATTEMPTS: readonly Column<FoundDelivery['attempts'][number]>[] = [
  { title: 'ATTEMPT', value: ({ attempt }) => attempt },
  { title: 'STARTED', value: ({ startedAt }) => startedAt },
  { title: 'MS', value: ({ durationMs }) => durationMs },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'FAILURE', value: ({ failure }) => failure },
  { title: 'RESPONSE', value: ({ response }) => response },
];

export function registerDeliveriesShow(deliveries: Command, context: Context): void {
  deliveries
    .command('show')
    .description('show a delivery, its attempts and the exact body that is sent')
    .argument('<id>', 'its number', count)
    .option('--endpoint <id>', 'its endpoint, if it is known')
    .addHelpText('after', examples('counterfoil deliveries show 12', 'counterfoil deliveries show 12 --json'))
    .action(async (id: number, { endpoint }: { endpoint?: string }) => {
      const found = await findDelivery(await context.client(), id, { endpoint, signal: context.signal });
      context.output.print(found, deliveryText(found));
    });
}

function deliveryText(delivery: FoundDelivery): string {
  const head = details({
    Delivery: delivery.id,
    Endpoint: delivery.endpointId,
    Event: `${delivery.eventType} ${delivery.eventId}`,
    State: delivery.state,
    Created: delivery.createdAt,
    'Next attempt': delivery.nextAttemptAt,
  });
  const { attempts } = delivery;
  const table =
    attempts.length === 0 ? [] : ['', ...tableLines(ATTEMPTS, attempts, widthsOf(ATTEMPTS, attempts))];
  return [head, ...table, '', printable(delivery.body)].join('\n');
}
