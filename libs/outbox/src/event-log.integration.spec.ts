import { within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { EventLog } from './event-log';
import { commonPosition, type EventPosition } from './event-position';
import type { NewEvent } from './event-definition';
import { Outbox } from './outbox';

let context: TestContext;
let companyId: number;
let otherId: number;
let log: EventLog;

beforeAll(async () => {
  context = await startTestContext([]);
  log = context.get(EventLog);
  [companyId, otherId] = [await givenCompany(), await givenCompany()];
});
afterAll(() => context.close());

async function givenCompany(): Promise<number> {
  const [row] = await context.database.query<{ id: number }>(
    `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
  );
  return row!.id;
}

const event = (mark: string) => ({ type: 'document.created', data: { mark } }) as unknown as NewEvent;

const append = (marks: readonly string[], company = companyId): Promise<void> =>
  context.get(Transactions).run((tx) => context.get(Outbox).append(tx, company, marks.map(event)));

/** Appends events in a transaction that stays open until the returned function ends it. */
async function appendSlowly(marks: readonly string[]): Promise<(isCommitted: boolean) => Promise<void>> {
  let end: (isCommitted: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((resolve) => (end = resolve));
  let appended: () => void = () => undefined;
  const isAppended = new Promise<void>((resolve) => (appended = resolve));
  const written = context
    .get(Transactions)
    .run(async (tx) => {
      await context.get(Outbox).append(tx, companyId, marks.map(event));
      // The events are written with the next statement.
      await within(tx).rows('select 1');
      appended();
      if (!(await ended)) throw new Error('rolled back');
    })
    .catch(() => undefined);
  await isAppended;
  return (isCommitted) => {
    end(isCommitted);
    return written;
  };
}

/** Reads to the end. @returns the marks of the company's events that the position had not seen */
async function readOn(position: EventPosition): Promise<string[]> {
  const marks: string[] = [];
  for (;;) {
    const batch = await log.read(position, [companyId]);
    for (const { sequence, body } of batch.events) {
      if (position.hasSeen(sequence)) throw new Error(`${sequence} was read twice`);
      position.see(sequence, batch.endedBelow);
      if (body !== null) marks.push((JSON.parse(body) as { data: { mark: string } }).data.mark);
    }
    position.closeGaps(batch);
    if (batch.isComplete) return marks;
  }
}

describe('the event log', () => {
  it('starts after what is committed, and reads the bodies of the named companies only', async () => {
    await append(['before']);
    const { position } = await log.latest();
    expect(await readOn(position)).toEqual([]);
    await append(['one', 'two']);
    await append(['of another'], otherId);
    await append(['three']);
    expect(await readOn(position)).toEqual(['one', 'two', 'three']);
    expect(await readOn(position)).toEqual([]);
  });

  it('reads an event that is committed after later ones, once, however long its transaction takes', async () => {
    const { position } = await log.latest();
    const end = await appendSlowly(['slow 1', 'slow 2']);
    await append(['fast 1']);
    expect(await readOn(position)).toEqual(['fast 1']);
    await append(['fast 2']);
    expect(await readOn(position)).toEqual(['fast 2']);
    expect(await readOn(position)).toEqual([]);
    await end(true);
    await append(['fast 3']);
    expect(await readOn(position)).toEqual(['slow 1', 'slow 2', 'fast 3']);
    expect(await readOn(position)).toEqual([]);
    expect(position.gaps).toEqual([]);
  });

  it('reads an event whose transaction was under way when the position was made', async () => {
    const end = await appendSlowly(['slow']);
    await append(['fast']);
    const { position } = await log.latest();
    await end(true);
    expect(await readOn(position)).toEqual(['slow']);
  });

  it('forgets the gap of a transaction that was rolled back', async () => {
    const { position } = await log.latest();
    const end = await appendSlowly(['never']);
    await append(['fast']);
    expect(await readOn(position)).toEqual(['fast']);
    await end(false);
    // Tests beside this one have older transactions in the same server, some of which take most of a minute.
    const isClosed = async () => {
      expect(await readOn(position)).toEqual([]);
      return position.gaps.length === 0;
    };
    await until('the end of the gap', isClosed, 90_000);
  }, 120_000);

  it('reads many events in several reads', async () => {
    const { position } = await log.latest();
    const marks = Array.from({ length: 1_234 }, (_, index) => `${index}`);
    await append(marks);
    expect(await readOn(position)).toEqual(marks);
  });

  it('closes no gap of a reader that is far ahead of the one that reads for both', async () => {
    const { position: behind } = await log.latest();
    await append(Array.from({ length: 600 }, (_, index) => `${index}`));
    const { position: ahead } = await log.latest();
    const end = await appendSlowly(['slow']);
    await append(['fast']);
    expect(await readOn(ahead)).toEqual(['fast']);
    await end(true);
    const shared = await log.read(commonPosition([behind, ahead]), [companyId]);
    expect(shared).toMatchObject({ isComplete: false, readUpTo: behind.highestSeen + 500 });
    ahead.closeGaps({ ...shared, oldestRunning: Infinity });
    expect(await readOn(ahead)).toEqual(['slow']);
  });

  it('keeps a gap open for a transaction that got its sequence and has written nothing yet', async () => {
    await context.database.query(
      `create function wait_for_test() returns trigger language plpgsql as $$
       begin
         if new.body like '%held up%' then perform pg_advisory_xact_lock(77); end if;
         return new;
       end $$`,
    );
    await context.database.query(
      'create trigger wait_for_test before insert on outbox_events for each row execute function wait_for_test()',
    );
    const held = context.database.hold('select pg_advisory_xact_lock(77)');
    await held.ready;
    const { position } = await log.latest();
    const appended = append(['held up']);
    try {
      await until('the insert to wait', async () => {
        const waiting = await context.database.query(
          `select 1 from pg_locks where locktype = 'advisory' and objid = 77 and not granted`,
        );
        return waiting.length > 0;
      });
      await append(['fast']);
      expect(await readOn(position)).toEqual(['fast']);
      expect(await readOn(position)).toEqual([]);
    } finally {
      await held.release();
      await appended;
    }
    expect(await readOn(position)).toEqual(['held up']);
  });

  it('knows a position that the database does not have yet', async () => {
    const { position } = await log.latest();
    expect(await log.isAhead(position)).toBe(false);
    position.see(position.highestSeen + 1_000_000, 0);
    expect(await log.isAhead(position)).toBe(true);
  });
});
