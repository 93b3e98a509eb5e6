import type { StreamedDelivery } from '@counterfoil/sdk';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import type { Command } from 'commander';
import { webUrl } from '../connection';
import type { Context } from '../context';
import { CommandError, EXIT } from '../failure';
import { eventSummary } from '../event-summary';
import { type Forwarded, forward } from '../forward';
import { examples } from '../help';
import { printableLine } from '../printable';

const TYPE_WIDTH = 24;

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: readonly string[];
  readonly after?: string;
}

/** Where the events that were handled end. */
interface Place {
  cursor?: string;
}

export function registerListenCommand(program: Command, context: Context): void {
  program
    .command('listen')
    .description('print the events of the company as they happen, and forward them to a receiver')
    .option('--forward-to <url>', 'the receiver, such as http://localhost:8080/hooks', receiverUrl)
    .option('--events <types>', 'only these event types, separated by commas', listOf)
    .option(
      '--after <cursor>',
      'start after the place where an earlier listen ended, not with the next event',
    )
    .addHelpText(
      'after',
      examples(
        'counterfoil listen --forward-to http://localhost:8080/hooks',
        'counterfoil listen --events document.created,charge.failed --json',
      ),
    )
    .action(async (options: ListenOptions) => {
      const place: Place = {};
      try {
        await listen(options, context, place);
      } catch (error) {
        // Ctrl-C is the way to end it.
        if (!context.signal.aborted) throw error;
      } finally {
        if (place.cursor !== undefined)
          context.output.note(`to continue here later, listen with --after ${place.cursor}`);
      }
    });
}

async function listen(
  { forwardTo, events, after }: ListenOptions,
  context: Context,
  place: Place,
): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  let secret: string | undefined;
  const stream = client.webhooks.stream({
    signal,
    cursor: after,
    onOpen: (start) => {
      if (secret === start.secret) return output.note('connected again');
      [secret, place.cursor] = [start.secret, start.cursor];
      const from = after === undefined ? 'new events' : 'events after the given place';
      const to = forwardTo === undefined ? '' : `; forwarding to ${forwardTo}`;
      output.note(`listening for ${from}${to} (Ctrl-C ends it)`);
      output.print({ secret }, `signing secret: ${secret}`);
    },
    onBreak: ({ message }, delayMs) =>
      output.note(`${message}; connecting again in ${(delayMs / 1_000).toFixed(1)} s`),
  });
  for await (const delivery of stream) {
    const type = delivery.headers['service-event-type'] ?? '';
    if (!events || events.includes(type)) {
      const at = new Date();
      assertGenuine(delivery, secret);
      const forwarded = forwardTo === undefined ? null : await forward(delivery, forwardTo, signal);
      print(delivery, { at, forwarded }, context);
    }
    place.cursor = delivery.cursor;
  }
}

/** The secret is the service's, so a mismatch shows that something between altered the event. */
function assertGenuine({ body, headers }: StreamedDelivery, secret: string | undefined): void {
  try {
    // An event may wait here for a slow receiver, which judges its age by itself.
    verifyWebhook({ body, headers, secret: secret ?? '', toleranceSeconds: Infinity });
  } catch (error) {
    const id = headers['webhook-id'] ?? 'an event';
    throw new CommandError(EXIT.refused, `${id} was altered on its way: ${(error as Error).message}`);
  }
}

interface Taken {
  readonly at: Date;
  /** Null if there is no receiver. */
  readonly forwarded: Forwarded | null;
}

function print(
  { cursor, headers, body }: StreamedDelivery,
  { at, forwarded }: Taken,
  { output }: Context,
): void {
  const [id = '', type = ''] = [headers['webhook-id'], headers['service-event-type']];
  const time = at.toTimeString().slice(0, 8);
  const outcome = forwarded === null ? 'signature ok' : outcomeText(forwarded);
  const event = JSON.parse(body) as { readonly data: Parameters<typeof eventSummary>[0] };
  const parts = [time, type.padEnd(TYPE_WIDTH), id, eventSummary(event.data), outcome];
  output.print(
    { id, type, at: at.toISOString(), forwarded, event, cursor },
    printableLine(parts.filter(Boolean).join('  ')),
  );
}

function outcomeText({ status, problem, durationMs, attempts }: Forwarded): string {
  const times = attempts > 1 ? `, attempt ${attempts}` : '';
  if (problem === null) return `${status} in ${durationMs} ms${times}`;
  return `FAILED: ${problem} (given up after ${attempts} attempts)`;
}

function receiverUrl(text: string): string {
  const url = webUrl(text);
  if (url) return url.href;
  throw new CommandError(
    EXIT.usage,
    `${text} is not the address of a receiver, such as http://localhost:8080/hooks`,
  );
}

const listOf = (text: string): string[] => text.split(',').map((type) => type.trim());
