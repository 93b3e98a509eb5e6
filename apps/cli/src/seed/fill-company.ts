import type { Counterfoil } from '@counterfoil/sdk';
import { createHash } from 'node:crypto';
import { CommandError, EXIT } from '../failure';
import type { Day } from './calendar';
import { type Existing, readExisting } from './existing';
import { manifestNameOf, manifestOf, readManifest } from './manifest';
import { planYear, type SeedChoice, type SeedPlan, type SeedSize } from './plan';
import { type SeedCount, type SeedKind, SeedRun } from './seed-run';
import { writeCosts, writeRates } from './write-costs';
import { writeBooks } from './write-documents';
import { writeGoods, writeProducts } from './write-goods';
import { writeClients, writeVendors } from './write-parties';

export interface SeedRequest {
  readonly seed: number;
  /** Default: those of an earlier run of this seed, else `medium` and `today`. */
  readonly size?: SeedSize | undefined;
  readonly until?: Day | undefined;
  readonly today: Day;
  /** Fills a company that has data of another origin. */
  readonly force?: boolean | undefined;
  /** The URL of an endpoint to register for all events. */
  readonly webhook?: string | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

export interface SeedProgress {
  /** Called when the number of steps is known. */
  begin(steps: number): void;
  step(): void;
}

export interface SeedReport extends SeedChoice {
  readonly counts: ReadonlyMap<SeedKind, SeedCount>;
  /** The endpoint, if one was asked for. The service shows a secret only once. */
  readonly webhook?: { readonly id: string; readonly secret?: string | undefined } | undefined;
}

/**
 * Fills the company of the client with a year of data. A run that was interrupted is completed by the next one, and a
 * complete one leaves nothing to do.
 *
 * @throws CommandError if the company has other data
 */
export async function fillCompany(
  client: Counterfoil,
  request: SeedRequest,
  progress: SeedProgress,
): Promise<SeedReport> {
  const existing = await readExisting(client, request.seed);
  const manifest = existing.manifests.get(manifestNameOf(request.seed));
  const earlier = manifest && (await readManifest(client, manifest));
  const choice = chosen(request, earlier);
  if (!earlier && !request.force && (await hasRecords(client, existing)))
    throw new CommandError(
      EXIT.refused,
      `the company has data that seed ${request.seed} did not create; --force adds the year beside it`,
    );
  const plan = planYear(choice);
  const run = new SeedRun({ client, plan, existing, signal: request.signal, onStep: () => progress.step() });
  progress.begin(stepsOf(plan) + (request.webhook === undefined ? 0 : 1));
  // Before the first record, so that every record belongs to a known choice.
  if (!earlier) await writeManifest(client, choice);
  const webhook = request.webhook === undefined ? undefined : await writeWebhook(run, request.webhook);
  await writeAll(run);
  return { ...choice, counts: run.counts, ...(webhook && { webhook }) };
}

/** An earlier run determines the year: half of one year cannot be completed by another. */
function chosen({ seed, size, until, today }: SeedRequest, earlier: SeedChoice | undefined): SeedChoice {
  if (!earlier) return { seed, size: size ?? 'medium', until: until ?? today };
  const isOther =
    (size !== undefined && size !== earlier.size) || (until !== undefined && until !== earlier.until);
  if (isOther)
    throw new CommandError(
      EXIT.refused,
      `seed ${seed} of this company is --size ${earlier.size} --until ${earlier.until}: ` +
        'leave both out, or use another --seed with --force',
    );
  return earlier;
}

async function hasRecords(client: Counterfoil, existing: Existing): Promise<boolean> {
  const { files, vendors, clients, products, warehouses } = existing;
  const known = [files, vendors, clients, products, warehouses, existing.retainers, existing.purchases];
  if (known.some(({ size }) => size > 0)) return true;
  return (await client.documents.list({ limit: 1 })).pagination.total > 0;
}

const writeManifest = (client: Counterfoil, choice: SeedChoice) =>
  client.files.upload(manifestOf(choice), {
    filename: manifestNameOf(choice.seed),
    // Without size and day: two runs at once with different ones must not both succeed.
    idempotencyKey: `seed-${choice.seed}/manifest`,
  });

type Endpoint = NonNullable<SeedReport['webhook']>;

async function writeWebhook(run: SeedRun, url: string): Promise<Endpoint> {
  const id = run.existing.webhooks.get(url);
  const known: Endpoint | undefined = id === undefined ? undefined : { id };
  // An address may be longer than a key.
  const name = createHash('sha256').update(url).digest('hex');
  return run.ensure('webhooks', name, known, async (options) => {
    const created = await run.client.webhooks.create({ url, events: ['*'] }, options);
    return { id: created.id, secret: 'secret' in created ? created.secret : undefined };
  });
}

async function writeAll(run: SeedRun): Promise<void> {
  await writeRates(run);
  const vendors = await writeVendors(run);
  const clients = await writeClients(run);
  const products = await writeProducts(run);
  await run.atOnce(
    writeGoods(run, vendors, products),
    writeCosts(run, vendors),
    writeBooks(run, clients, products),
  );
}

/** Each vendor and client has an address, and each expense a receipt. */
function stepsOf(plan: SeedPlan): number {
  const { rates, vendors, clients, products, pricelists, warehouses, stock, expenses } = plan;
  const movements = stock.flatMap((record) => record.movements);
  const lists = [
    rates,
    vendors,
    vendors,
    clients,
    clients,
    products,
    pricelists,
    warehouses,
    stock,
    movements,
  ];
  const others = [expenses, expenses, plan.purchases, plan.retainers, plan.documents];
  return [...lists, ...others].reduce((sum, { length }) => sum + length, 0);
}
