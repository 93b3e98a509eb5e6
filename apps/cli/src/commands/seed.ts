import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context';
import { webUrl } from '../connection';
import { examples } from '../help';
import { choice, count } from '../options';
import type { Progress } from '../progress';
import { addDays, businessDayOf, type Day, firstDayOf, isDay } from '../seed/calendar';
import { fillCompany, type SeedReport } from '../seed/fill-company';
import { SEED_SIZES, type SeedSize } from '../seed/plan';
import { type SeedCount, type SeedKind } from '../seed/seed-run';
import { type Column, tableLines, widthsOf } from '../table';

interface SeedOptions {
  readonly seed: number;
  readonly size?: SeedSize;
  readonly until?: Day;
  readonly webhook?: string;
  readonly force?: boolean;
}

/** Retainers begin after the last day, and the service accepts no old ones. */
const DAYS_BACK_MAX = 5 * 365;

export function registerSeedCommand(program: Command, context: Context): void {
  program
    .command('seed')
    .description('fill the company with a plausible year, in Hebrew and English')
    .option('--seed <number>', 'the same number gives the same data', count, 1)
    .addOption(choice('--size <size>', 'how much: medium unless given', SEED_SIZES))
    .option('--until <date>', 'the last day of the year, such as 2026-11-26: today unless given', lastDay)
    .option('--webhook <url>', 'also register this address for all events', endpoint)
    .option('--force', 'add the data to a company that has other data')
    .addHelpText(
      'after',
      examples(
        'counterfoil seed',
        'counterfoil seed --size small --json',
        'counterfoil seed --seed 7 --until 2026-06-30',
      ),
    )
    .action(async (options: SeedOptions) => fill(context, options));
}

async function fill(context: Context, options: SeedOptions): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  let bar: Progress | undefined;
  const begin = (steps: number) => (bar = output.progress('seed', steps));
  try {
    const today = businessDayOf(new Date());
    const request = { ...options, today, signal };
    const report = await fillCompany(client, request, { begin, step: () => bar?.advance() });
    bar?.stop();
    output.print(summaryOf(report), textOf(report));
  } catch (error) {
    bar?.stop();
    if (bar && !output.json) output.note('Run the same command again to complete the data.');
    throw error;
  }
}

function lastDay(text: string): Day {
  const today = businessDayOf(new Date());
  if (isDay(text) && text <= today && text >= addDays(today, -DAYS_BACK_MAX)) return text;
  throw new InvalidArgumentError('It must be a day of the last five years, such as 2026-06-30.');
}

function endpoint(text: string): string {
  const url = webUrl(text);
  if (url && text.startsWith('https://')) return url.href;
  throw new InvalidArgumentError('It must be an https address.');
}

const COLUMNS: readonly Column<[SeedKind, SeedCount]>[] = [
  { title: 'KIND', value: ([kind]) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) },
  { title: 'CREATED', value: ([, { created }]) => created },
  { title: 'EXISTING', value: ([, { existing }]) => existing },
];

function summaryOf({ seed, size, until, counts, webhook }: SeedReport) {
  const entries = [...counts];
  const created = Object.fromEntries(entries.map(([kind, count]) => [kind, count.created]));
  const existing = Object.fromEntries(entries.map(([kind, count]) => [kind, count.existing]));
  return { seed, size, from: firstDayOf(until), until, created, existing, webhook };
}

function textOf({ seed, size, until, counts, webhook }: SeedReport): string {
  const entries = [...counts];
  const created = entries.reduce((sum, [, count]) => sum + count.created, 0);
  const year = `seed ${seed}, ${size}, ${firstDayOf(until)} to ${until}`;
  const result =
    created === 0
      ? `Nothing to add: the company has all of ${year}.`
      : `Created ${created} records: ${year}.`;
  const secret = webhook?.secret === undefined ? '' : `, secret ${webhook.secret} (shown only now)`;
  return [
    ...tableLines(COLUMNS, entries, widthsOf(COLUMNS, entries)),
    result,
    ...(webhook ? [`Webhook ${webhook.id}${secret}`] : []),
  ].join('\n');
}
