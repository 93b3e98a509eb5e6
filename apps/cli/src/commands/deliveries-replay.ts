import type { Command } from 'commander';
import type { Context } from '../context';
import { findDelivery } from '../find-delivery';
import { examples } from '../help';
import { counts } from '../options';

export function registerDeliveriesReplay(deliveries: Command, context: Context): void {
  deliveries
    .command('replay')
    .description('send deliveries again now, with a full set of retries')
    .argument('<id...>', 'their numbers', counts)
    .option('--endpoint <id>', 'their endpoint, if it is known')
    .addHelpText(
      'after',
      `\nThe event keeps its id and its bytes, so a receiver recognises it.\n${examples(
        'counterfoil deliveries replay 12 13',
        'counterfoil deliveries list --state dropped --json | jq .id | xargs counterfoil deliveries replay',
      )}`,
    )
    .action(async (ids: readonly number[], { endpoint }: { endpoint?: string }) => {
      await replay(context, ids, endpoint);
    });
}

async function replay(context: Context, ids: readonly number[], endpoint: string | undefined): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const progress = output.progress('replaying', ids.length);
  const replayed: { id: number; endpointId: string }[] = [];
  try {
    for (const id of ids) {
      const { endpointId } = await findDelivery(client, id, { endpoint, signal });
      await client.webhooks.deliveries.replay(endpointId, id, { signal });
      replayed.push({ id, endpointId });
      progress.advance();
    }
  } finally {
    progress.stop();
    for (const one of replayed) output.print(one, `Delivery ${one.id} is sent again to ${one.endpointId}.`);
  }
}
