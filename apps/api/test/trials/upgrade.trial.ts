import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Figures, queueStores, startServiceOf, type TestService } from '@counterfoil/test-harness';
import type { Fleet } from '../fleet';
import { stockProblems } from '../stock-problems';
import { addDeliveries, drainDeliveries, judgeDeliveries } from './delivery-verdict';
import { documentProblems } from './document-problems';
import { FleetSite } from './fleet-site';
import { MixedLoad } from './mixed-load';

const ROOT = path.resolve(__dirname, '../../../..');
const BUILDER = path.join(ROOT, 'tools/testing/build-release.mjs');
const SIZE = { apis: 2, workers: 2 };
const CLIENTS = 3;
/** How long the load runs between two steps. */
const STEP_MS = 10_000;
const CALLS_OF_A_STEP_MIN = 20;
/** A migration gives up if a table is in use for some seconds. Operators run it again. */
const MIGRATION_TRIES = 5;
const BUILD_LIMIT_MS = 900_000;

/** The build of the last release, or of the commit that TRIAL_RELEASE names. */
interface Release {
  readonly name: string;
  readonly commit: string;
  readonly folder: string;
}

async function buildRelease(): Promise<Release> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-release-'));
  const wanted = process.env['TRIAL_RELEASE'];
  const args = [BUILDER, folder, ...(wanted ? [wanted] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return { ...(JSON.parse(stdout) as { name: string; commit: string }), folder };
}

const migrationsIn = async ({ database }: TestService): Promise<number> => {
  const [row] = await database.query<{ count: number }>('select count(*)::int as count from migrations');
  return row?.count ?? 0;
};

/** Migrates as docs/operations.md says, while the processes of the release work. */
async function migrate(service: TestService): Promise<number> {
  const env = { MIGRATION_DATABASE_URL: service.database.adminUrl };
  for (let tries = 1; ; tries += 1) {
    const { code, output, errors } = await service.startAdmin(['prepare'], env).outcome();
    if (code === 0) return tries;
    if (tries === MIGRATION_TRIES) throw new Error(`the migration failed: ${output}${errors}`);
  }
}

/** Replaces every process by one of the build in a folder, first the APIs, then the workers. */
async function replaceAll(fleet: Fleet, folder: string): Promise<void> {
  const codes: (number | null)[] = [];
  for (const place of fleet.apis.keys()) codes.push((await fleet.replaceApi(place, folder)).exitCode);
  for (const place of fleet.workers.keys()) codes.push((await fleet.replaceWorker(place, folder)).exitCode);
  expect(codes).toEqual(codes.map(() => 0));
}

/** The steps of an upgrade, of the way back, and of the second attempt. */
const stepsOf = ({ service, fleet }: FleetSite, { folder }: Release) =>
  [
    { name: 'the release', take: () => Promise.resolve() },
    { name: 'the new schema, with the processes of the release', take: () => migrate(service) },
    { name: 'the new processes', take: () => replaceAll(fleet, ROOT) },
    { name: 'back to the processes of the release', take: () => replaceAll(fleet, folder) },
    { name: 'the new processes again', take: () => replaceAll(fleet, ROOT) },
  ] as const;

let release: Release;

beforeAll(async () => {
  release = await buildRelease();
}, BUILD_LIMIT_MS);
afterAll(() => {
  if (release) fs.rmSync(release.folder, { recursive: true, force: true });
});

describe.each(queueStores())('with the $kind queue, an upgrade', (store) => {
  let site: FleetSite | undefined;

  afterAll(() => site?.close());

  it('fails no call, repeats no delivery and leaves no gap', async () => {
    const start = (settings: Readonly<Record<string, string>>) =>
      startServiceOf(release.folder, store, settings);
    site = await FleetSite.open(store, SIZE, start);
    const { service, fleet, sink } = site;
    const figures = new Figures();
    figures.heading(`${store.kind} queue: upgrade from ${release.name} (${release.commit.slice(0, 8)})`);
    const before = await migrationsIn(service);
    const load = await MixedLoad.start(service, CLIENTS, sink.urlOf('/all'), fleet.url);
    try {
      for (const { name, take } of stepsOf(site, release)) {
        const callsBefore = load.calls;
        await take();
        await sleep(STEP_MS);
        figures.add(`calls: ${name}`, load.calls - callsBefore, '', { atLeast: CALLS_OF_A_STEP_MIN });
      }
    } finally {
      await load.stop();
    }
    await drainDeliveries(service.database);
    figures.add('migrations of the upgrade', (await migrationsIn(service)) - before);
    figures.add('calls that failed', load.wrong, '', { atMost: 0 });
    for (const fault of load.faults) figures.note(fault);
    addDeliveries(figures, await judgeDeliveries(service.database, sink));
    const problems = [
      ...(await documentProblems(service.database)),
      ...(await stockProblems(service.database)),
    ];
    expect(problems).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});
