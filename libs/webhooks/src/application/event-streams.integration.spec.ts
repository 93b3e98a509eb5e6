import { within } from '@counterfoil/database';
import { type Caller, Epochs, Transactions } from '@counterfoil/kernel';
import { EventLog, Outbox } from '@counterfoil/outbox';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { anEvent, FEW_EVENTS } from '../testing/few-events';
import { RecordingClient } from '../testing/recording-client';
import { WebhooksModule } from '../webhooks.module';
import { EventStreams } from './event-streams';
import { StreamCursors } from './stream-cursors';

const STREAMS_OF_COMPANY = 10;
/** More than a position can express. */
const GAPS = 120;

let context: TestContext;
let streams: EventStreams;
let left: (() => void)[] = [];

beforeAll(async () => {
  context = await startTestContext([WebhooksModule.register(FEW_EVENTS)]);
  streams = context.get(EventStreams);
});
afterEach(() => {
  for (const leave of left) leave();
  left = [];
});
afterAll(() => context.close());

async function givenCompany(): Promise<Caller> {
  const [row] = await context.database.query<{ id: number }>(
    `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
  );
  return { companyId: row!.id } as Caller;
}

async function open(caller: Caller, cursor?: string, client = new RecordingClient()) {
  left.push(await streams.open(caller, cursor, client));
  return client;
}

async function refusalOf(caller: Caller, cursor: string): Promise<unknown> {
  return open(caller, cursor).then(
    () => null,
    (error: unknown) => error,
  );
}

const append = ({ companyId }: Caller, ...marks: readonly string[]): Promise<void> =>
  context.get(Transactions).run((tx) => {
    const events = marks.map((mark) => anEvent('document.created', { mark }));
    return context.get(Outbox).append(tx, companyId, events);
  });

interface Held {
  readonly append: (mark: string) => Promise<void>;
  readonly end: (isCommitted: boolean) => Promise<void>;
}

/** A transaction that appends events one by one, and ends when the test says so. */
async function beginTransaction({ companyId }: Caller): Promise<Held> {
  let end: (isCommitted: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((resolve) => (end = resolve));
  return new Promise((resolve, reject) => {
    const written = context.get(Transactions).run(async (tx) => {
      resolve({
        append: async (mark) => {
          await context.get(Outbox).append(tx, companyId, [anEvent('document.created', { mark })]);
          // The event is written with the next statement.
          await within(tx).rows('select 1');
        },
        end: async (isCommitted) => {
          end(isCommitted);
          await written.catch(() => undefined);
        },
      });
      if (!(await ended)) throw new Error('rolled back');
    });
    written.catch(reject);
  });
}

/** Leaves a gap before each of many events of the company. @returns the open transaction with the gaps */
async function leaveGaps(caller: Caller): Promise<Held> {
  const held = await beginTransaction(caller);
  for (let n = 0; n < GAPS; n++) {
    await held.append(`late ${n}`);
    await append(caller, `prompt ${n}`);
  }
  return held;
}

const numbered = (name: string): string[] => Array.from({ length: GAPS }, (_, n) => `${name} ${n}`);

describe('event streams', () => {
  it('deliver what many transactions write once each, in whatever order they commit', async () => {
    const caller = await givenCompany();
    const [whole, slow] = [await open(caller), await open(caller)];
    slow.most = 10;
    const written: string[] = [];
    // The transactions of each round append in turns, and end in another order than they began. Some are rolled back.
    for (let round = 0; round < 20; round++) {
      const open = await Promise.all(Array.from({ length: 6 }, () => beginTransaction(caller)));
      for (const step of [0, 1]) {
        for (const [n, one] of open.entries()) await one.append(`${round}.${n}.${step}`);
      }
      for (const n of [4, 1, 5, 0, 3, 2]) {
        const isCommitted = (round + n) % 5 !== 0;
        await open[n]!.end(isCommitted);
        if (isCommitted) written.push(`${round}.${n}.0`, `${round}.${n}.1`);
        if (n === 5) await append(caller, `${round}.between`);
        if (n === 5) written.push(`${round}.between`);
      }
    }
    const before = slow.marks;
    const resumed = await open(caller, slow.cursor);
    slow.most = Infinity;
    const rest = written.length - before.length;
    await until('all events', () =>
      [whole, slow].every(({ deliveries }) => deliveries.length >= written.length),
    );
    await until('the rest', () => resumed.deliveries.length >= rest);
    expect(before).toHaveLength(10);
    for (const marks of [whole.marks, slow.marks, [...before, ...resumed.marks]]) {
      expect(marks.sort()).toEqual(written.sort());
    }
  }, 60_000);

  it('wait at more gaps than a cursor can name, and lose nothing', async () => {
    const caller = await givenCompany();
    const client = await open(caller);
    const held = await leaveGaps(caller);
    await until('all that the gaps allow', () => client.deliveries.length >= 100);
    expect(client.marks).toEqual(numbered('prompt').slice(0, 100));
    const resumed = await open(caller, client.cursor);
    await held.end(true);
    await until('the rest', () => [client, resumed].every(({ marks }) => marks.length >= 2 * GAPS - 100));
    await until('all', () => client.deliveries.length >= 2 * GAPS);
    expect(client.marks.sort()).toEqual([...numbered('late'), ...numbered('prompt')].sort());
    expect(resumed.marks.sort()).toEqual([...numbered('late'), ...numbered('prompt').slice(100)].sort());
  });

  it('that wait for a gap do not keep those of other companies from catching up', async () => {
    const [waiting, other] = [await givenCompany(), await givenCompany()];
    const stuck = await Promise.all(Array.from({ length: STREAMS_OF_COMPANY }, () => open(waiting)));
    const held = await leaveGaps(waiting);
    await until('all to wait', () => stuck.every(({ deliveries }) => deliveries.length === 100));
    const reads = jest.spyOn(context.get(EventLog), 'read');
    const client = await open(other);
    await append(other, 'one');
    await until('the event', () => client.marks.length > 0);
    expect(client.marks).toEqual(['one']);
    // Nothing more can be read before the gap is closed, so there is no hurry.
    reads.mockClear();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(reads.mock.calls.length).toBeLessThan(5 * 6);
    reads.mockRestore();
    await held.end(true);
    await until('the rest', () => stuck.every(({ deliveries }) => deliveries.length >= 2 * GAPS));
  });

  it('refuse a cursor that is no cursor, or belongs to another company or another list', async () => {
    const [caller, other] = [await givenCompany(), await givenCompany()];
    const { cursor } = await open(caller);
    const foreign = (await open(other)).cursor;
    const [first = '', ...rest] = cursor;
    const nonsense = ['', ' ', '0', 'null', 'שלום', `${cursor}A`, cursor.slice(1), 'A'.repeat(5_000)];
    const altered = [first === 'A' ? 'B' : 'A', ...rest].join('');
    for (const refused of [foreign, altered, ...nonsense]) {
      expect(await refusalOf(caller, refused)).toMatchObject({
        code: 'INVALID_CURSOR',
        message: expect.stringContaining('was not issued for the event stream of this company'),
      });
    }
    await append(caller, 'one');
    const resumed = await open(caller, cursor);
    await until('the event', () => resumed.marks.length > 0);
    expect(resumed.marks).toEqual(['one']);
  });

  it('end when the database begins another epoch, and refuse their cursors instead of skipping', async () => {
    const caller = await givenCompany();
    const client = await open(caller);
    await append(caller, 'one');
    await until('the event', () => client.marks.length > 0);
    const epochs = context.get(Epochs);
    expect(await epochs.renew(await epochs.current(), 'a test')).toBe(true);
    await until('the end', () => client.isEnded);
    const restored = { code: 'INVALID_CURSOR', message: expect.stringContaining('restored or failed over') };
    expect(await refusalOf(caller, client.cursor)).toMatchObject(restored);

    // A backup that does not show: the sequence is set back, and the epoch is the same.
    const later = await open(caller);
    await append(caller, 'two');
    await until('the event', () => later.marks.length > 0);
    const { position } = await context.get(StreamCursors).read(caller.companyId, later.cursor);
    await context.database.query(`select setval(pg_get_serial_sequence('outbox_events', 'sequence'), $1)`, [
      position.highestSeen - 1,
    ]);
    await context.database.query('delete from outbox_events where sequence >= $1', [position.highestSeen]);
    expect(await refusalOf(caller, later.cursor)).toMatchObject(restored);
    // The first refusal began another epoch, so no cursor of the old one is accepted when the sequence has caught up.
    await append(caller, 'three', 'four', 'five');
    expect(await refusalOf(caller, later.cursor)).toMatchObject(restored);
    await until('the end', () => later.isEnded);
  });
});
