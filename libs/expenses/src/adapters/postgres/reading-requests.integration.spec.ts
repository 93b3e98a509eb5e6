import { within } from '@counterfoil/database';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { IdentityModule } from '@counterfoil/identity';
import { newLease } from '@counterfoil/leased-work';
import { planOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import {
  type ReadingRequest,
  type ClaimedReading,
  ReadingRequests,
  type ReadingTerms,
} from '../../application/ports/reading-requests';
import { failed, type ReadingOutcome } from '../../application/ports/reading-outcome';
import { ReceiptReadings } from '../../application/ports/receipt-readings';
import { ReadingStoreModule } from '../../reading-store.module';
import { givenCaller, givenFile } from '../../testing/given-expense';
import { CLAIM } from './reading-requests.sql';

const LEASE_MS = 15_000;
const WAITING = 10_000;
const TIMEOUT_MS = 30_000;
const OUTCOME = failed('FETCH_FAILED', 'nobody answers', 'once');

let context: TestContext;
let requests: ReadingRequests;
let ours: Caller;
let theirs: Caller;

beforeAll(async () => {
  context = await startTestContext([ReadingStoreModule, IdentityModule]);
  requests = context.get(ReadingRequests);
});
beforeEach(async () => {
  await context.database.query('delete from reading_requests');
  ours = await givenCaller(context);
  theirs = await givenCaller(context);
});
afterAll(() => context.close());

/** Moves the times of the rows into the past, because the clock is that of the database. */
const later = (ms: number) =>
  context.database.query(
    `update reading_requests set asked_at = asked_at - $1::interval, claimed_until = claimed_until - $1::interval,
       finished_at = finished_at - $1::interval`,
    [`${ms} milliseconds`],
  );
/** Lets the waits of an API pass that has died. */
const noRenewal = () =>
  context.database.query(`update reading_requests set waited_until = waited_until - interval '6 seconds'`);
const about = (source: string, { companyId } = ours, isImage = false): ReadingRequest => ({
  ...{ companyId, source, of: { url: `https://example.com/${source}` }, declaredKind: 'pdf', isImage },
});
const ask = (source: string, caller = ours, isImage = false) =>
  requests.ask(about(source, caller, isImage), TIMEOUT_MS);
const askFile = async (source: string, caller = ours) => {
  const of = { fileId: await givenFile(context, caller, source) };
  return requests.ask({ ...about(source, caller), of }, TIMEOUT_MS);
};
const TERMS = { leaseMs: LEASE_MS, texts: true, images: true, urls: true, held: [], ofCompanyMax: 2 };
const claimOn = (terms: Partial<ReadingTerms>) =>
  requests.claim({ ...TERMS, heldBack: { companyIds: [], ofCompanyMax: 1 }, ...terms });
const claim = (heldBack: readonly Caller[] = [], ofHeldBackMax = 1) => {
  const companyIds = heldBack.map(({ companyId }) => companyId);
  return claimOn({ heldBack: { companyIds, ofCompanyMax: ofHeldBackMax } });
};
const purge = (finishedMs: number, unreadMs: number, signal = new AbortController().signal) =>
  requests.purge({ finishedMs, unreadMs }, signal);
const claimed = async (): Promise<ClaimedReading> => {
  const found = await claim();
  if (!found) throw new Error('there was nothing to claim');
  return found;
};

it('joins a request for the same document of the same company', async () => {
  const id = await ask('a');
  expect(await ask('a')).toBe(id);
  expect(await ask('b')).not.toBe(id);
  expect(await ask('a', theirs)).not.toBe(id);
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask('c')));
  expect(new Set(ids).size).toBe(1);
});

it('accepts 50 of a company, and those of others', async () => {
  for (let number = 0; number < 50; number++) expect(await ask(`n${number}`)).toEqual(expect.any(Number));
  expect(await ask('one more')).toBeNull();
  expect(await ask('n7')).toEqual(expect.any(Number));
  expect(await ask('one more', theirs)).toEqual(expect.any(Number));
  await noRenewal();
  expect(await ask('one more')).toEqual(expect.any(Number));
});

it('claims each request once: the oldest of the company with the fewest claims, at most two of each', async () => {
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

it('gives a request to one of several concurrent claims', async () => {
  await ask('a');
  const claims = await Promise.all(Array.from({ length: 10 }, () => claim()));
  expect(claims.filter((each) => each !== null)).toHaveLength(1);
});

it('returns all data of the request', async () => {
  await ask('a');
  expect(await claimed()).toEqual({
    ...{
      id: expect.any(Number),
      claimId: expect.any(String),
      companyId: ours.companyId,
      attempts: 1,
      trace: null,
    },
    ...{ of: { url: 'https://example.com/a' }, declaredKind: 'pdf', isImage: false },
  });
});

it('gives a request to another worker after the lease has ended, and then not to the first one', async () => {
  const id = await ask('a');
  const first = await claimed();
  await later(LEASE_MS - 1_000);
  expect(await claim()).toBeNull();
  await requests.renew([first.claimId], LEASE_MS);
  await later(LEASE_MS - 1_000);
  expect(await claim()).toBeNull();
  await later(1_001);
  const second = await claimed();
  expect(second).toMatchObject({ id, attempts: 2 });
  await requests.renew([first.claimId], 10 * LEASE_MS);
  await requests.release(first);
  await requests.retry(first);
  expect(await requests.turnIntoImage(first, { hasRoom: true, ofCompanyMax: 2 })).toBe(false);
  await requests.finish(first, OUTCOME);
  expect(await requests.finishedAmong([id!])).toEqual([]);
  await requests.finish(second, OUTCOME);
  expect(await requests.finishedAmong([id!])).toEqual([
    { id, companyId: ours.companyId, source: 'a', outcome: OUTCOME },
  ]);
  expect(await claim()).toBeNull();
});

it('does not give a worker its own claim, even if its renewal is late', async () => {
  await ask('a');
  const { claimId } = await claimed();
  await later(LEASE_MS + 1);
  expect(await claimOn({ held: [claimId] })).toBeNull();
  expect(await requests.renew([claimId], LEASE_MS)).toEqual([claimId]);
  await later(LEASE_MS + 1);
  expect(await claim()).toMatchObject({ attempts: 2 });
});

it('counts an attempt that is retried', async () => {
  const id = await ask('a');
  await requests.retry(await claimed());
  expect(await claimed()).toMatchObject({ id, attempts: 2 });
});

describe('texts, images and urls', () => {
  it('are claimed two of each for a company, without waiting for each other', async () => {
    const images = [await ask('i1', ours, true), await ask('i2', ours, true), await ask('i3', ours, true)];
    const held = [await claim(), await claim(), await claim()];
    expect(held.map((each) => each?.id)).toEqual([images[0], images[1], undefined]);
    const urls = [await ask('u1'), await ask('u2'), await ask('u3')];
    expect([(await claim())?.id, (await claim())?.id, await claim()]).toEqual([urls[0], urls[1], null]);
    const texts = [await askFile('t1'), await askFile('t2'), await askFile('t3')];
    expect([(await claim())?.id, (await claim())?.id, await claim()]).toEqual([texts[0], texts[1], null]);
  });

  it('are claimed only by a worker with a free slot for them', async () => {
    const [image, url, text] = [await ask('i1', ours, true), await ask('u1'), await askFile('t1')];
    expect(await claimOn({ images: false, texts: false, urls: false })).toBeNull();
    expect(await claimOn({ images: false, urls: false })).toMatchObject({ id: text, isImage: false });
    expect(await claimOn({ images: false })).toMatchObject({ id: url, isImage: false });
    expect(await claimOn({ images: false })).toBeNull();
    expect(await claimOn({ texts: false, urls: false })).toMatchObject({ id: image, isImage: true });
  });

  it('are distinguished by content: an image frees the text slot, and continues if an image slot is free', async () => {
    const ids = [await ask('a'), await ask('b'), await ask('c'), await ask('d')];
    const [first, second] = [await claimed(), await claimed()];
    const room = { hasRoom: true, ofCompanyMax: 1 };
    expect(await claim()).toBeNull();
    expect(await requests.turnIntoImage(first, room)).toBe(true);
    expect(await requests.turnIntoImage(second, room)).toBe(false);
    expect([(await claimOn({ images: false }))?.id, (await claimOn({ images: false }))?.id]).toEqual(
      ids.slice(2),
    );
    // The released request is now known to be an image, and its attempt did not count.
    expect(await claimOn({ ofCompanyMax: 1 })).toBeNull();
    await requests.finish(first, OUTCOME);
    expect(await claimOn({ ofCompanyMax: 1 })).toMatchObject({ id: ids[1], isImage: true, attempts: 1 });
  });

  it('are released without a free slot, and deleted without callers', async () => {
    const id = await ask('a');
    const held = await claimed();
    expect(await requests.turnIntoImage(held, { hasRoom: false, ofCompanyMax: 2 })).toBe(false);
    const again = await claimed();
    expect(again).toMatchObject({ id, isImage: true, attempts: 1 });
    await requests.withdraw(id!);
    expect(await requests.turnIntoImage(again, { hasRoom: false, ofCompanyMax: 2 })).toBe(false);
    expect(await context.database.query('select source from reading_requests')).toEqual([]);
  });
});

describe('an outcome', () => {
  const found = (total: number): ReadingOutcome => ({
    ...{
      stands: 'lasting',
      reading: { fields: { total }, confidence: { total: 1 }, source: 'text', pages: 1 },
    },
  });
  const content = () => ({ companyId: ours.companyId, sha256: 'a'.repeat(64), declaredKind: null });

  it('is recorded by the worker with the claim, and not by one that has lost it', async () => {
    const readings = context.get(ReceiptReadings);
    await ask('a');
    const lost = await claimed();
    await later(LEASE_MS + 1);
    const held = await claimed();
    await readings.save(content(), found(12), held);
    await requests.finish(held, found(12));
    await readings.save(content(), failed('EXTRACTION_FAILED', 'the reader took too long', 'brief'), lost);
    expect(await readings.find(content())).toEqual(found(12));
  });
});

it('is not recorded for a released claim', async () => {
  const id = await ask('a');
  await requests.release(await claimed());
  expect(await claimed()).toMatchObject({ id, attempts: 1 });
});

it('is stored without the url', async () => {
  await ask('a');
  await requests.finish(await claimed(), OUTCOME);
  expect(await context.database.query('select url from reading_requests')).toEqual([{ url: null }]);
});

it('is not reused for a new request, unless it came after its callers had timed out', async () => {
  const quick = await ask('a');
  const quickly = await claimed();
  await requests.finish(quickly, OUTCOME);
  expect(await ask('a')).not.toBe(quick);
  const slow = await ask('b', theirs);
  const claims = [await claimed(), await claimed()];
  const held = claims.find(({ id }) => id === slow)!;
  await later(TIMEOUT_MS + 1);
  await requests.finish(held, OUTCOME);
  expect(await ask('b', theirs)).toBe(slow);
  await later(60_001);
  expect(await ask('b', theirs)).not.toBe(slow);
});

it('is not produced for a request without callers, which is deleted', async () => {
  const id = await ask('a');
  await requests.withdraw(id!);
  expect(await claim()).toBeNull();
  expect(await context.database.query('select source from reading_requests')).toEqual([]);
  expect(await ask('a')).not.toBe(id);
});

it('is produced for other callers, and for callers that have timed out', async () => {
  const id = await ask('a');
  expect(await ask('a')).toBe(id);
  await requests.withdraw(id!);
  expect(await claim()).toMatchObject({ id });
});

it('is not produced when no API renews the wait any more', async () => {
  const [dead, alive] = [await ask('a'), await ask('b')];
  await noRenewal();
  expect(await claim()).toBeNull();
  await requests.renewWaits([alive!]);
  expect(await claim()).toMatchObject({ id: alive });
  expect(await claim()).toBeNull();
  expect(await ask('a')).toBe(dead);
  expect(await claim()).toMatchObject({ id: dead });
});

it('is produced for callers that have timed out, and no API waits any more', async () => {
  const id = await ask('a');
  await requests.keepWanted(id!);
  await requests.renewWaits([id!]);
  await noRenewal();
  expect(await claim()).toMatchObject({ id });
});

it('is renewed without waiting for a row that another transaction has locked', async () => {
  const ids = [await ask('a'), await ask('b')];
  await noRenewal();
  const other = context.database.hold(`select from reading_requests where id = ${ids[0]} for update`);
  await other.ready;
  try {
    await requests.renewWaits(ids as number[]);
  } finally {
    await other.release();
  }
  expect([(await claim())?.id, await claim()]).toEqual([ids[1], null]);
});

it('is not needed without callers: the worker learns it, and the request is deleted', async () => {
  await ask('a');
  await ask('b');
  const [first, second] = [await claimed(), await claimed()];
  const renewed = () => requests.renew([first.claimId, second.claimId], LEASE_MS);
  expect([...(await renewed())].toSorted()).toEqual([first.claimId, second.claimId].toSorted());
  await requests.withdraw(first.id);
  expect(await renewed()).toEqual([second.claimId]);
  // It still counts as claimed.
  await ask('c');
  expect(await claim()).toBeNull();
  await requests.release(first);
  const left = await context.database.query('select source from reading_requests where claim_id is not null');
  expect(left).toEqual([{ source: 'b' }]);
  expect(await claim()).not.toBeNull();
});

it('is kept for the next caller if it came late', async () => {
  const id = await ask('a');
  const held = await claimed();
  await requests.withdraw(id!);
  expect(await ask('a')).toBe(id);
  await requests.release(held);
  expect(await claimed()).toMatchObject({ id, attempts: 1 });
});

it('is stored although its callers have left', async () => {
  const id = await ask('a');
  await requests.finish(await claimed(), OUTCOME);
  await requests.withdraw(id!);
  expect(await requests.finishedAmong([id!])).toHaveLength(1);
});

it('comes last for deprioritised companies, one at a time of all kinds', async () => {
  const ids = [
    await ask('a1'),
    await ask('a2', ours, true),
    await ask('b1', theirs),
    await ask('b2', theirs),
  ];
  await askFile('a3');
  const claims = [await claim([ours]), await claim([ours]), await claim([ours]), await claim([ours])];
  expect(claims.map((each) => each?.id)).toEqual([ids[2], ids[3], ids[0], undefined]);
  expect(await claim([ours], 0)).toBeNull();
  expect(await claim()).not.toBeNull();
});

it('is purged', async () => {
  const finished = await ask('a');
  await requests.finish(await claimed(), OUTCOME);
  await ask('b');
  await later(10_000);
  await purge(20_000, 20_000);
  expect(await context.database.query('select source from reading_requests')).toHaveLength(2);
  await purge(5_000, 20_000);
  expect(await requests.finishedAmong([finished!])).toEqual([]);
  expect(await context.database.query('select source from reading_requests')).toEqual([{ source: 'b' }]);
  await purge(5_000, 5_000);
  expect(await context.database.query('select source from reading_requests')).toEqual([]);
});

it('is not purged any more after the signal aborts', async () => {
  const { companyId } = ours;
  await context.database.query(
    `insert into reading_requests (company_id, source, url, said_as, asked_at)
     select $1, 's' || n, 'https://example.com', '', now() - interval '1 hour' from generate_series(1, 2500) n`,
    [companyId],
  );
  await purge(0, 1_000, AbortSignal.abort());
  expect(await context.database.query('select 1 from reading_requests')).toHaveLength(2_500);
  await purge(0, 1_000);
  expect(await context.database.query('select 1 from reading_requests')).toEqual([]);
});

it('is claimed among ten thousand waiting requests without counting them each time', async () => {
  await context.database.query(
    `insert into reading_requests (company_id, source, url, said_as, asked_at)
     select c.id, 's' || n, 'https://example.com', '', now()
       from (select id from companies order by id limit 2) c, generate_series(1, $1::int / 2) n`,
    [WAITING],
  );
  await context.database.query('analyze reading_requests');
  const terms = { ...TERMS, heldBack: { companyIds: [], ofCompanyMax: 1 } };
  for (let claims = 1; claims <= 4; claims++) {
    const nodes = await planOf(context.database, CLAIM, { terms, ...newLease(LEASE_MS) });
    const read = nodes
      .filter((node) => /^(Index|Bitmap Heap|Seq).*Scan/.test(node['Node Type']))
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    // Each waiting request once, the claimed ones once more, and the new claim.
    expect(read.reduce((sum, rows) => sum + rows)).toBeLessThan(WAITING + 10);
    expect(
      await context.database.query('select from reading_requests where claim_id is not null'),
    ).toHaveLength(claims);
  }
});

it('is claimed by one plan in each session, because idle workers ask all the time', async () => {
  const terms = { ...TERMS, heldBack: { companyIds: [], ofCompanyMax: 1 } };
  const reused = await context.get(Transactions).run(async (tx) => {
    const session = within(tx);
    for (let claim = 0; claim < 12; claim++) await session.first(CLAIM, { terms, ...newLease(LEASE_MS) });
    const [plans] = await session.rows<{ reused: number }>(
      'select generic_plans::int as reused from pg_prepared_statements where name = $1',
      [CLAIM.name],
    );
    return plans?.reused;
  });
  // The session may have claimed before.
  expect(reused).toBeGreaterThanOrEqual(7);
});
