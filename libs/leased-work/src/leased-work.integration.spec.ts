import { Sql, within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import {
  claimOf,
  endOf,
  type Lease,
  newLease,
  nextInTurns,
  renewalOf,
  renewLeases,
  retriedWork,
} from './index';

const LEASE_MS = 60_000;
const NOW = new Date('2026-11-23T10:00:00Z');
const TABLE = {
  name: 'parcels',
  key: 'id',
  token: 'holder',
  until: 'held_until',
  due: 'due_at',
  open: `state = 'OPEN'`,
  payload: 'id, holder, attempts',
};
const CREATE = `
  create table parcels (
    id bigint generated always as identity primary key,
    company_id bigint not null default 1,
    state text not null default 'OPEN',
    attempts integer not null default 0,
    due_at timestamptz not null,
    holder uuid,
    held_until timestamptz
  )`;

interface Parcel {
  readonly id: number;
  readonly holder: string;
  readonly attempts: number;
}

const NEXT = claimOf<Parcel>(TABLE, { where: 'true', orderBy: 'work.id' });
const RENEW = renewalOf(TABLE);
const RENEW_WANTED = renewalOf(TABLE, 'work.id <> 1');
const GIVE_BACK = endOf(TABLE, 'give back');
const FINISH = endOf<{ readonly state: string }>(TABLE, 'finish', ['state = :state']);
const RETRIED = retriedWork<Parcel>(TABLE);
const IN_TURNS = retriedWork<Parcel>({ ...TABLE, inTurnsOf: 'company_id' });
const NEXT_IN_TURNS = nextInTurns<Parcel>({ ...TABLE, inTurnsOf: 'company_id' });
/** The work of the second company, latest items first. */
const LATE_FIRST = claimOf<Parcel, { readonly company: number; readonly after: Date }>(TABLE, {
  cte: 'late as (select id from parcels where due_at > :after)',
  join: 'left join late on late.id = work.id',
  where: 'work.company_id = :company or work.company_id = -1',
  orderBy: 'late.id is null, work.id',
  set: 'attempts = attempts + 1',
});

describe('leased work', () => {
  let context: TestContext;
  let sql: Sql;

  beforeAll(async () => {
    context = await startTestContext([]);
    await context.database.query(CREATE);
    sql = context.get(Sql);
  });
  beforeEach(() => context.database.query('truncate parcels restart identity'));
  afterAll(() => context.close());

  const given = (dueAt: readonly (readonly [company: number, seconds: number])[]) =>
    context.database.query(
      `insert into parcels (company_id, due_at)
       select company, $1::timestamptz + seconds * interval '1 second'
         from unnest($2::bigint[], $3::integer[]) as given (company, seconds)`,
      [NOW, dueAt.map(([company]) => company), dueAt.map(([, seconds]) => seconds)],
    );
  const givenMany = (count: number) => given(Array.from({ length: count }, () => [1, 0] as const));
  const next = (leaseMs = LEASE_MS) => sql.first(NEXT, newLease(leaseMs));
  const claimed = async (leaseMs = LEASE_MS): Promise<Parcel> => {
    const parcel = await next(leaseMs);
    if (!parcel) throw new Error('there was nothing to claim');
    return parcel;
  };
  const leaseOf = ({ id, holder }: Parcel): Lease => ({ key: id, token: holder });
  const rows = () =>
    context.database.query('select id::integer, state, attempts, holder, due_at from parcels order by id');
  /** Leases use the server's clock, so the test moves the rows into the past. */
  const age = (ms: number) =>
    context.database.query('update parcels set held_until = held_until - $1::interval', [
      `${ms} milliseconds`,
    ]);
  const claimDue = (id: number, now = NOW) => sql.first(RETRIED.claim, { id, now, ...newLease(LEASE_MS) });
  const due = async (now: Date, limit: number, of = RETRIED) =>
    (await sql.rows(of.due, { now, limit })).map(({ key }) => key);
  const renew = (tokens: readonly string[], renewal = RENEW) => renewLeases(sql, renewal, tokens, LEASE_MS);
  const finish = (lease: Lease, state = 'DONE') => sql.changed(FINISH, { ...lease, state });
  const postpone = (lease: Lease, dueAt: Date) => sql.changed(RETRIED.postpone, { ...lease, dueAt });
  const remove = (lease: Lease) =>
    context.get(Transactions).run((tx) => within(tx).changed(RETRIED.remove, lease));

  describe('is claimed', () => {
    it('exactly once by parallel workers', async () => {
      await givenMany(60);
      const tokens = new Set<string>();
      const taken: number[] = [];
      const worker = async () => {
        for (let parcel = await next(); parcel; parcel = await next()) {
          taken.push(parcel.id);
          tokens.add(parcel.holder);
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      // A worker ends when all remaining rows are locked by the others, which then take them.
      expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect(tokens.size).toBe(60);
    });

    it('without waiting for a row that another transaction has locked', async () => {
      await givenMany(2);
      const other = context.database.hold('select from parcels where id = 1 for update');
      await other.ready;
      try {
        expect(await next()).toMatchObject({ id: 2 });
        expect(await next()).toBeNull();
      } finally {
        await other.release();
      }
      expect(await next()).toMatchObject({ id: 1 });
    });

    it('only from the candidates, in their order, with the additional assignment', async () => {
      await given([
        [1, 0],
        [2, 0],
        [2, 5],
      ]);
      const claim = () => sql.first(LATE_FIRST, { company: 2, after: NOW, ...newLease(LEASE_MS) });
      expect([await claim(), await claim(), await claim()]).toMatchObject([
        { id: 3, attempts: 1 },
        { id: 2, attempts: 1 },
        null,
      ] as const);
    });

    it('not while another worker has the lease', async () => {
      await givenMany(1);
      await context.database.query(`update parcels set state = 'DONE'`);
      expect(await next()).toBeNull();
      expect(await claimDue(1)).toBeNull();
      expect(await due(NOW, 10)).toEqual([]);
    });
  });

  describe('is taken over', () => {
    it("when the lease has expired on the server's clock, and not before", async () => {
      await givenMany(1);
      const first = await claimed(1_000);
      expect(await next()).toBeNull();
      let second: Parcel | null = null;
      await until('the end of the lease', async () => (second = await next()) !== null);
      expect(second).toMatchObject({ id: first.id, holder: expect.not.stringMatching(first.holder) });
    });

    it('by exactly one of many workers', async () => {
      await givenMany(1);
      await claimed();
      await age(LEASE_MS);
      const claims = await Promise.all(Array.from({ length: 10 }, () => next()));
      expect(claims.filter((parcel) => parcel !== null)).toHaveLength(1);
    });

    it('not before the end of a renewed lease', async () => {
      await givenMany(2);
      const [first, second] = [await claimed(), await claimed()];
      await age(LEASE_MS - 1_000);
      expect(await renew([first.holder])).toEqual([first.holder]);
      await age(1_000);
      expect(await next()).toMatchObject({ id: second.id });
      expect(await next()).toBeNull();
    });

    it('late: until then its worker may renew and end it', async () => {
      await givenMany(1);
      const first = await claimed();
      await age(2 * LEASE_MS);
      expect(await renew([first.holder])).toEqual([first.holder]);
      expect(await next()).toBeNull();
      await age(2 * LEASE_MS);
      expect(await finish(leaseOf(first))).toBe(1);
    });

    it.each<[string, (lease: Lease) => Promise<unknown>, unknown]>([
      ['end it', (lease) => finish(lease), 0],
      ['postpone it', (lease) => postpone(lease, NOW), 0],
      ['remove it', (lease) => remove(lease), 0],
      ['renew it', ({ token }) => renew([token ?? '']), []],
    ])('and its first worker, coming late, cannot %s', async (_, attempt, answer) => {
      await givenMany(1);
      const first = await claimed();
      await age(LEASE_MS);
      const second = await claimed();
      const before = await rows();
      expect(await attempt(leaseOf(first))).toEqual(answer);
      expect(await rows()).toEqual(before);
      expect(await next()).toBeNull();
      expect(await finish(leaseOf(second))).toBe(1);
    });
  });

  describe('ends', () => {
    it('with the outcome, once', async () => {
      await givenMany(2);
      const parcel = await claimed();
      expect(await finish(leaseOf(parcel))).toBe(1);
      expect(await finish(leaseOf(parcel), 'OPEN')).toBe(0);
      expect(await renew([parcel.holder])).toEqual([]);
      expect(await rows()).toMatchObject([
        { id: 1, state: 'DONE', holder: null },
        { id: 2, state: 'OPEN', holder: null },
      ]);
    });

    it('when given back, and is free at once', async () => {
      await givenMany(1);
      expect(await sql.changed(GIVE_BACK, leaseOf(await claimed()))).toBe(1);
      expect(await next()).toMatchObject({ id: 1, attempts: 0 });
    });

    it('when its row is deleted', async () => {
      await givenMany(2);
      expect(await remove(leaseOf(await claimed()))).toBe(1);
      expect(await rows()).toMatchObject([{ id: 2 }]);
    });
  });

  it('reports with a renewal that no caller waits any more, and keeps the lease', async () => {
    await givenMany(2);
    const holders = [(await claimed()).holder, (await claimed()).holder];
    expect(await renew(holders, RENEW_WANTED)).toEqual([holders[1]]);
    expect(await next()).toBeNull();
  });

  describe('that is retried', () => {
    const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

    it('is claimed when it is due, by exactly one of many', async () => {
      await given([[1, 5]]);
      expect([await due(later(4), 10), await claimDue(1, later(4))]).toEqual([[], null]);
      expect(await due(later(5), 10)).toEqual([1]);
      const claims = await Promise.all(Array.from({ length: 10 }, () => claimDue(1, later(5))));
      expect(claims.filter((parcel) => parcel !== null)).toHaveLength(1);
      expect(await due(later(5), 10)).toEqual([]);
      await age(LEASE_MS);
      expect(await due(later(5), 10)).toEqual([1]);
    });

    it('is postponed, which counts the attempt and ends the lease', async () => {
      await givenMany(1);
      const parcel = await claimDue(1);
      expect(await postpone(leaseOf(parcel!), later(30))).toBe(1);
      expect(await rows()).toMatchObject([{ attempts: 1, holder: null, due_at: later(30) }]);
      expect([await claimDue(1, later(29)), await due(later(29), 10)]).toEqual([null, []]);
      expect(await claimDue(1, later(30))).toMatchObject({ attempts: 1 });
    });

    it('is postponed by its creator if nobody has claimed it', async () => {
      await givenMany(1);
      expect(await postpone({ key: 1, token: null }, later(1))).toBe(1);
      await claimDue(1, later(1));
      expect(await postpone({ key: 1, token: null }, later(60))).toBe(0);
      expect(await rows()).toMatchObject([{ attempts: 1, due_at: later(1) }]);
    });

    it('is not postponed once it is done', async () => {
      await givenMany(1);
      await context.database.query(`update parcels set state = 'DONE'`);
      expect(await postpone({ key: 1, token: null }, later(1))).toBe(0);
      expect(await rows()).toMatchObject([{ attempts: 0, due_at: NOW }]);
    });

    /** Three rows of the first company are due, then two of the second. That of the third is not due yet. */
    const givenThreeCompanies = () =>
      given([
        [1, -9],
        [1, -8],
        [1, -7],
        [2, -1],
        [2, -2],
        [3, 1],
      ]);

    it('is due in the order of its times, or in turns of companies', async () => {
      await givenThreeCompanies();
      expect(await due(NOW, 10)).toEqual([1, 2, 3, 5, 4]);
      expect(await due(NOW, 2)).toEqual([1, 2]);
      expect(await due(NOW, 10, IN_TURNS)).toEqual([1, 5, 2, 4, 3]);
      expect(await due(NOW, 3, IN_TURNS)).toEqual([1, 5, 2]);
    });

    it('is counted in the backlog while it is due, also with a lease, until it is done', async () => {
      const backlog = () => sql.only(RETRIED.backlog, { now: NOW });
      expect(await backlog()).toEqual({ waiting: 0, oldestDueAt: null });
      await givenThreeCompanies();
      expect(await backlog()).toEqual({ waiting: 5, oldestDueAt: later(-9) });
      const claimed = await claimDue(1);
      expect(await backlog()).toEqual({ waiting: 5, oldestDueAt: later(-9) });
      await finish(leaseOf(claimed!));
      expect(await backlog()).toEqual({ waiting: 4, oldestDueAt: later(-8) });
    });

    it('is claimed next of the company with the fewest leases, and never before it is due', async () => {
      await givenThreeCompanies();
      const nextInTurn = () => sql.first(NEXT_IN_TURNS, { now: NOW, ...newLease(LEASE_MS) });
      const claims: (Parcel | null)[] = [];
      for (let count = 0; count < 6; count++) claims.push(await nextInTurn());
      expect(claims.map((parcel) => parcel?.id ?? null)).toEqual([1, 5, 2, 4, 3, null]);
      await finish(leaseOf(claims[1]!));
      await age(LEASE_MS);
      expect(await nextInTurn()).toMatchObject({ id: 1 });
    });

    it('is claimed next by many at once, each row once, also if it is all of one company', async () => {
      await given(Array.from({ length: 40 }, () => [1, -1]));
      const claim = () => sql.first(NEXT_IN_TURNS, { now: NOW, ...newLease(LEASE_MS) });
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) {
        const claims = await Promise.all(Array.from({ length: 8 }, claim));
        ids.push(...claims.map((parcel) => parcel?.id ?? 0));
      }
      expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
      expect(await claim()).toBeNull();
    });

    it('is claimed next behind 63 rows that other claims are taking', async () => {
      await given(Array.from({ length: 64 }, () => [1, -1]));
      const held = context.database.hold('select from parcels where id < 64 for update');
      await held.ready;
      expect(await sql.first(NEXT_IN_TURNS, { now: NOW, ...newLease(LEASE_MS) })).toMatchObject({ id: 64 });
      await held.release();
    });

    it('is claimed next of companies that are served', async () => {
      await givenThreeCompanies();
      const served = nextInTurns<Parcel>(
        { ...TABLE, inTurnsOf: 'company_id' },
        {},
        (company) => `${company} <> 1`,
      );
      const claim = async () => (await sql.first(served, { now: NOW, ...newLease(LEASE_MS) }))?.id ?? null;
      expect([await claim(), await claim(), await claim()]).toEqual([5, 4, null]);
    });
  });
});
