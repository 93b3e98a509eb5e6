import type { Caller } from '@counterfoil/kernel';
import { IdentityModule } from '@counterfoil/identity';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import {
  type AskedReading,
  type ClaimedReading,
  ReadingRequests,
} from '../../application/ports/reading-requests';
import { failed } from '../../application/ports/reading-outcome';
import { ReadingStoreModule } from '../../reading-store.module';
import { givenCaller } from '../../testing/given-expense';

const LEASE_MS = 15_000;
const TIMEOUT_MS = 30_000;
const OUTCOME = failed('FETCH_FAILED', 'nobody answers', 'once');

let context: TestContext;
let requests: ReadingRequests;
let ours: Caller;
let theirs: Caller;
let now: Date;

beforeAll(async () => {
  context = await startTestContext([ReadingStoreModule, IdentityModule]);
  requests = context.get(ReadingRequests);
});
beforeEach(async () => {
  await context.database.query('delete from reading_requests');
  ours = await givenCaller(context);
  theirs = await givenCaller(context);
  now = new Date('2026-11-22T10:00:00.000Z');
});
afterAll(() => context.close());

const later = (ms: number) => (now = new Date(now.getTime() + ms));
const about = (source: string, { companyId } = ours): AskedReading => ({
  ...{ companyId, source, of: { url: `https://example.com/${source}` }, saidAs: 'pdf' },
});
const ask = (source: string, caller = ours) =>
  requests.ask(about(source, caller), { now, timeoutMs: TIMEOUT_MS });
const claim = () => requests.claim({ now, until: new Date(now.getTime() + LEASE_MS), ofCompanyMax: 2 });
const claimed = async (): Promise<ClaimedReading> => {
  const found = await claim();
  if (!found) throw new Error('there was nothing to claim');
  return found;
};

it('joins who asks for the same, of one company', async () => {
  const id = await ask('a');
  expect(await ask('a')).toBe(id);
  expect(await ask('b')).not.toBe(id);
  expect(await ask('a', theirs)).not.toBe(id);
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask('c')));
  expect(new Set(ids).size).toBe(1);
});

it('takes 50 of a company, and others of others', async () => {
  for (let number = 0; number < 50; number++) expect(await ask(`n${number}`)).toEqual(expect.any(Number));
  expect(await ask('one more')).toBeNull();
  expect(await ask('n7')).toEqual(expect.any(Number));
  expect(await ask('one more', theirs)).toEqual(expect.any(Number));
});

it('hands out each request once, the oldest of the company with the fewest in hand first, two of each', async () => {
  const first = await ask('a1');
  const second = await ask('a2');
  await ask('a3');
  const other = await ask('b1', theirs);
  expect([(await claim())?.id, (await claim())?.id, (await claim())?.id, await claim()]).toEqual([
    first,
    other,
    second,
    null,
  ]);
});

it('hands out a request to one of many who claim at once', async () => {
  await ask('a');
  const claims = await Promise.all(Array.from({ length: 10 }, claim));
  expect(claims.filter((each) => each !== null)).toHaveLength(1);
});

it('carries what is to be read', async () => {
  await ask('a');
  expect(await claimed()).toEqual({
    ...{ id: expect.any(Number), claimId: expect.any(String), companyId: ours.companyId, attempts: 1 },
    ...{ of: { url: 'https://example.com/a' }, saidAs: 'pdf' },
  });
});

it('lets another have it when a lease has ended, and then no longer the first', async () => {
  const id = await ask('a');
  const first = await claimed();
  later(LEASE_MS - 1);
  expect(await claim()).toBeNull();
  await requests.renew([first.claimId], new Date(now.getTime() + LEASE_MS));
  later(LEASE_MS - 1);
  expect(await claim()).toBeNull();
  later(2);
  const second = await claimed();
  expect(second).toMatchObject({ id, attempts: 2 });
  await requests.renew([first.claimId], new Date(now.getTime() + 10 * LEASE_MS));
  await requests.release(first);
  await requests.finish(first, OUTCOME, now);
  expect(await requests.finishedAmong([id!])).toEqual([]);
  await requests.finish(second, OUTCOME, now);
  expect(await requests.finishedAmong([id!])).toEqual([{ id, outcome: OUTCOME }]);
  expect(await claim()).toBeNull();
});

it('forgets a claim that is given back', async () => {
  const id = await ask('a');
  await requests.release(await claimed());
  expect(await claimed()).toMatchObject({ id, attempts: 1 });
});

it('forgets the url with the outcome', async () => {
  await ask('a');
  await requests.finish(await claimed(), OUTCOME, now);
  expect(await context.database.query('select url from reading_requests')).toEqual([{ url: null }]);
});

it('asks anew after an outcome, but for one that came when nobody waited any more', async () => {
  const quick = await ask('a');
  await requests.finish(await claimed(), OUTCOME, later(1_000));
  expect(await ask('a')).not.toBe(quick);
  const slow = await ask('b', theirs);
  const claims = [await claimed(), await claimed()];
  const held = claims.find(({ id }) => id === slow)!;
  await requests.finish(held, OUTCOME, later(TIMEOUT_MS + 1));
  expect(await ask('b', theirs)).toBe(slow);
  later(60_001);
  expect(await ask('b', theirs)).not.toBe(slow);
});

it('removes what nobody waits for', async () => {
  const finished = await ask('a');
  await requests.finish(await claimed(), OUTCOME, now);
  await ask('b');
  later(1);
  await requests.purge(now, new Date(0));
  expect(await requests.finishedAmong([finished!])).toEqual([]);
  expect(await context.database.query('select source from reading_requests')).toEqual([{ source: 'b' }]);
  await requests.purge(new Date(0), now);
  expect(await context.database.query('select source from reading_requests')).toEqual([]);
});

it('claims among ten thousand that wait without counting for each', async () => {
  await context.database.query(
    `insert into reading_requests (company_id, source, url, said_as, asked_at)
     select c.id, 's' || n, 'https://example.com', '', now()
       from (select id from companies order by id limit 2) c, generate_series(1, 5000) n`,
  );
  await context.database.query('analyze reading_requests');
  const started = performance.now();
  for (let number = 0; number < 4; number++) expect(await claim()).not.toBeNull();
  expect(performance.now() - started).toBeLessThan(1_000);
});
