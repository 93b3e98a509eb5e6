import {
  createTestDatabase,
  DEMO_KEY,
  type Installation,
  installPackages,
  queueStores,
  startService,
  type TestDatabase,
  type TestService,
} from '@counterfoil/test-harness';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counterfoil } from '../client.ts';
import { readmeCode } from './readme-code.ts';

const WRITERS = 8;
const RUN_LEAST_MS = 200;
const RUN_MOST_MS = 1_500;

export interface SweepReport {
  /** Acknowledged changes: documents that were issued, and documents that were closed. */
  readonly changes: number;
  readonly documents: number;
  /** Processes that were killed while they ran. */
  readonly kills: number;
  /** Ids of documents that the copy does not have, or has in an older state. */
  readonly missing: readonly string[];
  readonly outdated: readonly string[];
}

interface Site {
  readonly service: TestService;
  readonly copies: TestDatabase;
  readonly installation: Installation;
  /** The sync of the README, as a file. */
  readonly program: string;
}

/**
 * Makes changes with several writers, while the sync of the README runs again and again with the packed
 * package and is killed. Then it runs once more to its end, and its copy is compared with the documents.
 */
export async function runKilledSweep(changes: number, kills: number): Promise<SweepReport> {
  const site = await openSite();
  try {
    const client = new Counterfoil({ apiKey: DEMO_KEY, baseUrl: site.service.url });
    const progress = { made: 0 };
    const [killed] = await Promise.all([
      killSweeps(site, kills, (kill) => progress.made >= (changes * kill) / (kills + 1)),
      makeChanges(client, changes, progress),
    ]);
    await sweepToEnd(site);
    return { changes: progress.made, kills: killed, ...(await compare(client, site.copies)) };
  } finally {
    await closeSite(site);
  }
}

async function openSite(): Promise<Site> {
  const installation = await installPackages('webhook-verifier', 'sdk');
  await installation.link('pg');
  const [service, copies] = await Promise.all([
    startService(queueStores()[0]!, { LOG_LEVEL: 'warn' }),
    createTestDatabase(),
  ]);
  await copies.query(readmeCode('The change feed', 'sql'));
  const program = await installation.write('sync.mjs', readmeCode('The change feed', 'js'));
  return { service, copies, installation, program };
}

async function closeSite({ service, copies, installation }: Site): Promise<void> {
  await service.stop();
  await copies.drop();
  await installation.remove();
}

/** Issues documents and closes some, until there are so many changes. */
async function makeChanges(client: Counterfoil, changes: number, progress: { made: number }): Promise<void> {
  const { clientId } = await client.clients.create({ name: 'Acme', taxId: '514000000', type: 'COMPANY' });
  const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
  let begun = 0;
  const write = async (): Promise<void> => {
    while (begun < changes) {
      begun += 1;
      const { visibleId } = await client.documents.create('QUOTE', { entityId: clientId, items });
      progress.made += 1;
      if (begun >= changes || progress.made % 2 === 0) continue;
      begun += 1;
      await client.documents.close(visibleId);
      progress.made += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/**
 * Runs the sync without a break, and kills it.
 *
 * @param isDue whether there are changes enough for a kill, so that the kills are spread over all of them
 */
async function killSweeps(site: Site, kills: number, isDue: (kill: number) => boolean): Promise<number> {
  let killed = 0;
  while (killed < kills) {
    const child = start(site);
    const exited = once(child, 'exit');
    await Promise.race([exited, sleep(RUN_LEAST_MS + Math.random() * (RUN_MOST_MS - RUN_LEAST_MS))]);
    if (isDue(killed + 1)) child.kill('SIGKILL');
    await exited;
    if (child.signalCode === 'SIGKILL') killed += 1;
    else if (child.exitCode !== 0) throw new Error('the sync failed');
  }
  return killed;
}

async function sweepToEnd(site: Site): Promise<void> {
  const child = start(site);
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error('the sync failed');
}

function start({ service, copies, program }: Site): ChildProcess {
  const env = { ...process.env, API_KEY: DEMO_KEY, API_URL: service.url, DATABASE_URL: copies.adminUrl };
  return spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function compare(client: Counterfoil, copies: TestDatabase) {
  const rows = await copies.query<{ key: string; value: string }>('SELECT key, value FROM copies');
  const known = new Map(rows.map(({ key, value }) => [key, value]));
  const missing: string[] = [];
  const outdated: string[] = [];
  const documents = await client.documents.list().toArray();
  for (const { visibleId, updatedAt, status } of documents) {
    const copy = known.get(visibleId);
    if (copy === undefined) missing.push(visibleId);
    else if (!isOf(copy, { updatedAt, status })) outdated.push(visibleId);
  }
  return { documents: documents.length, missing, outdated };
}

function isOf(copy: string, expected: { updatedAt: string; status: string }): boolean {
  const { updatedAt, status } = JSON.parse(copy) as typeof expected;
  return updatedAt === expected.updatedAt && status === expected.status;
}
