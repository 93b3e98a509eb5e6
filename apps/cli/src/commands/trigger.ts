import type { BodyOf } from '@counterfoil/sdk';
import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';

type Trigger = BodyOf<'POST /webhooks/trigger'>;

export function registerTriggerCommand(program: Command, context: Context): void {
  program
    .command('trigger')
    .description('send a test event; creates nothing else')
    .argument('<event>', 'an event type, such as document.created')
    .option('--listeners-only', 'send it to counterfoil listen, and to no endpoint')
    .addHelpText(
      'after',
      examples('counterfoil trigger document.created', 'counterfoil trigger charge.failed --listeners-only'),
    )
    .action(async (type: string, { listenersOnly = false }: { listenersOnly?: boolean }) => {
      const client = await context.client();
      const trigger = { type: type as Trigger['type'], target: listenersOnly ? 'stream' : 'all' } as const;
      const { eventId } = await client.webhooks.trigger(trigger, { signal: context.signal });
      context.output.print({ eventId, type }, `${type}  ${eventId}`);
    });
}
