import { BillRetainer, CreateRetainer, type NewRetainer, RetainersModule } from '@counterfoil/documents';
import { CreateCompany, SetCompanyLimits } from '@counterfoil/identity';
import { type Caller, Clock, LEASE_MS, plainDateOf } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { RenderDocument } from '@counterfoil/renditions';
import { RunDueOccurrences } from '@counterfoil/scheduling';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { MailDeliveryModule } from '../mail-delivery.module';
import { MailQueueModule } from '../mail-queue.module';
import { MailModule } from '../mail.module';
import { FakeMailServer } from '../testing/fake-mail-server';
import { CheckMail } from './check-mail';
import { DeliverMail } from './deliver-mail';
import { MailServer } from './ports/mail-server';
import { type ClaimedMail, Mails } from './ports/mails';
import { SendDocument } from './send-document';

interface Row {
  readonly documentId: number;
  readonly issueDate: string;
  readonly recipient: string;
  readonly kind: string;
  readonly to: readonly string[];
  readonly sendId: string;
  readonly sentBy: string;
  readonly subject: string | null;
}

const MODULES = [RetainersModule.register(MailQueueModule), MailModule, MailDeliveryModule];
const ITEMS = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
const SEND = { to: ['dana@example.com'], cc: ['noa@example.com'], subject: null, message: null };
const CONTENT = { subject: null, message: null, language: null, stamp: 'original' } as const;
const TO_ONE = { to: ['dana@example.com'], cc: [] };
const NEVER = {
  carryOut: () => Promise.reject(new Error('no recurring payment is due')),
  eventsOf: () => Promise.resolve([]),
};

describe('retainers that send their documents', () => {
  const server = new FakeMailServer();
  const clock = new SetClock();
  let context: TestContext;
  let caller: Caller;
  let entityId: number;

  const override = (builder: TestingModuleBuilder) =>
    builder
      .overrideProvider(MailServer)
      .useValue(server)
      .overrideProvider(RenderDocument)
      .useValue({ pdf: () => Promise.resolve(Buffer.from('%PDF')) })
      .overrideProvider(Clock)
      .useValue(clock);

  beforeAll(async () => {
    context = await startTestContext(MODULES, override);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    server.isConfigured = true;
    clock.set('2026-03-31T10:00:00Z');
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    ({ id: entityId } = await context.get(CreateParty).execute(caller, 'client', { details, contact: null }));
  });

  const create = (changes: Partial<NewRetainer> = {}) => {
    const terms = { entityId, documentType: 'TAX_INVOICE', currency: 'ILS', items: ITEMS } as const;
    const dates = { interval: 'MONTHLY', nextRunDate: '2026-01-31' } as const;
    return context.get(CreateRetainer).execute(caller, { ...terms, ...dates, send: SEND, ...changes });
  };
  const limit = (dailyMails: number) =>
    context.get(SetCompanyLimits).execute(caller.companyId, { dailyMails });
  const bill = (id: number, one: OpenContext = context) =>
    one.get(RunDueOccurrences).execute(id, { RETAINER: one.get(BillRetainer), RECURRING_PAYMENT: NEVER });
  const rowsOf = (retainerId: number) =>
    context.database.query<Row>(
      `select d.id::int as "documentId", d.issue_date::text as "issueDate", m.recipient, m.kind,
              m.to_addresses as to, m.send_id as "sendId", m.sent_by as "sentBy", m.subject
         from documents d left join document_mails m on m.document_id = d.id
        where d.retainer_id = $1 order by d.id, m.id`,
      [retainerId],
    );
  const sentOf = async (retainerId: number) =>
    (await rowsOf(retainerId)).map(({ issueDate, recipient }) => `${issueDate} ${recipient}`);
  const MISSED = ['2026-01-31', '2026-02-28', '2026-03-31'].flatMap((date) =>
    ['dana@example.com', 'noa@example.com'].map((recipient) => `${date} ${recipient}`),
  );

  it('queue a mail for each recipient of each document, also of missed dates', async () => {
    const id = await create({ send: { ...SEND, subject: 'Your invoice' } });
    await bill(id);
    await bill(id);
    expect(await sentOf(id)).toEqual(MISSED);
    const rows = await rowsOf(id);
    expect(new Set(rows.map(({ sendId }) => sendId)).size).toBe(3);
    expect(rows.slice(0, 2)).toMatchObject([
      { kind: 'to', to: ['dana@example.com'], sentBy: 'system:recurring-billing', subject: 'Your invoice' },
      { kind: 'cc', to: ['dana@example.com'], sentBy: 'system:recurring-billing', subject: 'Your invoice' },
    ]);
  });

  it('hand over the original of each document', async () => {
    const id = await create();
    await bill(id);
    const [{ documentId }] = (await rowsOf(id)) as [Row];
    const stamps = async () => {
      const rows = await context.database.query<{ stamp: string }>(
        'select stamp from document_mails where document_id = $1 order by id',
        [documentId],
      );
      return rows.map(({ stamp }) => stamp);
    };
    expect(await stamps()).toEqual(['original', 'original']);
    const again = { ...CONTENT, ...TO_ONE, stamp: null };
    await context.get(SendDocument).execute(caller, { id: documentId }, again);
    expect(await stamps()).toEqual(['original', 'original', 'copy']);
  });

  it('queue none without recipients', async () => {
    const id = await create({ send: null });
    await bill(id);
    expect((await rowsOf(id)).map(({ recipient }) => recipient)).toEqual([null, null, null]);
  });

  describe('with a limit of 24 hours', () => {
    const LIMIT = 3;
    const HOUR_MS = 3_600_000;
    const DAY_MS = 24 * HOUR_MS;
    let documentId: number;

    // Four mails. The limit counts by the clock of the database.
    beforeEach(async () => {
      await context.database.query('delete from document_mails');
      clock.set(new Date());
      await limit(LIMIT);
      const nextRunDate = plainDateOf(clock.now());
      for (const id of [await create({ nextRunDate }), await create({ nextRunDate })]) await bill(id);
      ({ documentId } = (await mails())[0]!);
    });
    const mails = () =>
      context.database.query<{ documentId: number; state: string; isCall: boolean }>(
        `select document_id::int as "documentId", coalesce(failure, status) as state,
                sent_by like 'api-key:%' as "isCall"
           from document_mails where company_id = $1 order by id`,
        [caller.companyId],
      );
    const states = async () => (await mails()).map(({ state }) => state);
    const deliver = async (by: readonly OpenContext[], times: number) => {
      await Promise.all(
        by.map(async (one) => {
          for (let mail = 0; mail < times; mail += 1) await one.get(DeliverMail).execute();
        }),
      );
    };
    const call = (one: OpenContext = context) =>
      one.get(SendDocument).execute(caller, { id: documentId }, { ...CONTENT, ...TO_ONE });
    const age = (hours: number) =>
      context.database.query(
        `update document_mails set created_at = created_at - $2 * interval '1 hour',
           finished_at = finished_at - $2 * interval '1 hour' where company_id = $1`,
        [caller.companyId, hours],
      );

    it('are issued, and their mails wait until there is room', async () => {
      await deliver([context], 8);
      expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'queued']);
      await expect(call()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
      await age(25);
      await deliver([context], 1);
      expect((await states())[3]).toBe('queued');
      clock.advance(HOUR_MS);
      await deliver([context], 1);
      expect((await states())[3]).toBe('accepted');
      // It counts from when it was sent.
      await Promise.all([call(), call()]);
      await expect(call()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    });

    it('leave to calls what has not been sent', async () => {
      for (let sent = 0; sent < LIMIT; sent += 1) await call();
      await deliver([context], 8);
      expect(await states()).toEqual([...Array(4).fill('queued'), ...Array(LIMIT).fill('accepted')]);
    });

    it('withdraw the mails that had no room for a week', async () => {
      await limit(0);
      await deliver([context], 8);
      const [waiting] = await context.database.query(
        'select response, waits_since as since from document_mails where company_id = $1 limit 1',
        [caller.companyId],
      );
      expect(waiting).toEqual({ response: expect.stringContaining('waits'), since: clock.now() });
      clock.advance(7 * DAY_MS - 2 * HOUR_MS);
      await deliver([context], 4);
      expect(await states()).toEqual(Array(4).fill('queued'));
      clock.advance(2 * HOUR_MS);
      await deliver([context], 4);
      expect(await states()).toEqual(Array(4).fill('withdrawn'));
    });

    it('send the mails that no worker tried for a week', async () => {
      await limit(4);
      clock.advance(8 * DAY_MS);
      await deliver([context], 4);
      expect(await states()).toEqual(Array(4).fill('accepted'));
    });

    it('send the oldest mails first', async () => {
      await deliver([context], 8);
      await age(25);
      await bill(await create({ nextRunDate: plainDateOf(clock.now()) }));
      await deliver([context], 4);
      expect((await states()).slice(3)).toEqual(['queued', 'queued', 'queued']);
      clock.advance(HOUR_MS);
      await deliver([context], 1);
      expect((await states()).slice(3)).toEqual(['accepted', 'queued', 'queued']);
      await deliver([context], 2);
      expect((await states()).slice(3)).toEqual(['accepted', 'accepted', 'accepted']);
    });

    it('share it between workers that have claimed several at once, the oldest first', async () => {
      await limit(2);
      const decide = (mail: ClaimedMail) => context.get(CheckMail).execute(mail);
      const claims = Array.from({ length: 3 }, () => context.get(Mails).claimNext(clock.now(), LEASE_MS));
      const [first, second, third] = await Promise.all(claims as Promise<ClaimedMail>[]).then(
        (claimed) => claimed.sort((a, b) => a.id - b.id) as [ClaimedMail, ClaimedMail, ClaimedMail],
      );
      expect(await decide(third)).toBe('wait');
      expect(await decide(first)).toBe('send');
      expect(await decide(second)).toBe('send');
      await expect(call()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    });

    it('count a mail that was handed over by a worker that has died', async () => {
      await limit(1);
      await context.database.query(
        `update document_mails set handed_over_at = now(), lease_token = gen_random_uuid(),
           lease_until = now() - interval '1 minute', next_attempt_at = $2
          where id = (select min(id) from document_mails where company_id = $1)`,
        [caller.companyId, new Date(clock.now().getTime() + 2 * HOUR_MS)],
      );
      await deliver([context], 4);
      expect(await states()).toEqual(Array(4).fill('queued'));
      await expect(call()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    });

    it('never exceed it together with calls at once, in two processes', async () => {
      const other = await openTestContext(context.config, MODULES, override);
      try {
        const calls = [context, other, context, other].map((one) => call(one));
        await Promise.all([deliver([context, other], 4), Promise.allSettled(calls)]);
        const spent = async () =>
          (await mails()).filter(({ state, isCall }) => isCall || state === 'accepted').length;
        expect(await spent()).toBeLessThanOrEqual(LIMIT);
        // A worker that finds the mails of another one locked has used a turn.
        for (let hour = 0; hour < 5; hour += 1) {
          clock.advance(HOUR_MS);
          await deliver([context, other], 4);
        }
        expect(await spent()).toBe(LIMIT);
      } finally {
        await other.close();
      }
    });
  });

  it('issue nothing if the mails cannot be queued, and both later', async () => {
    const id = await create({ nextRunDate: '2026-03-31' });
    const { companyId } = caller;
    await context.database.query(`
      create function lose_mail() returns trigger language plpgsql as $$ begin raise 'lost'; end $$;
      create trigger lose_mail before insert on document_mails
        for each row when (new.company_id = ${companyId} and new.kind = 'cc') execute function lose_mail()`);
    await bill(id);
    expect(await rowsOf(id)).toEqual([]);
    await context.database.query('drop trigger lose_mail on document_mails; drop function lose_mail');
    clock.advance(60_000);
    await bill(id);
    expect(await sentOf(id)).toEqual(MISSED.slice(-2));
  });

  it('queue each mail once, however many processes issue', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => create()));
    const others = await Promise.all([1, 2].map(() => openTestContext(context.config, MODULES, override)));
    try {
      await Promise.all([context, ...others].flatMap((one) => ids.map((id) => bill(id, one))));
      for (const id of ids) await bill(id);
      for (const id of ids) expect(await sentOf(id)).toEqual(MISSED);
    } finally {
      await Promise.all(others.map((one) => one.close()));
    }
  });

  it('queue beyond the limit of calls, which does not count their mails', async () => {
    const to = Array.from({ length: 20 }, (_, at) => `r${at}@example.com`);
    const weekly = { interval: 'WEEKLY', send: { ...SEND, to, cc: [] } } as const;
    await expect(create({ ...weekly, nextRunDate: '2025-04-01' })).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
    const late = await create({ ...weekly, nextRunDate: '2025-04-22' });
    await bill(late);
    const rows = await rowsOf(late);
    expect(rows).toHaveLength(50 * 20);
    await create({ nextRunDate: '2026-03-31' });
    const sent = { ...CONTENT, ...TO_ONE };
    await context.get(SendDocument).execute(caller, { id: rows[0]!.documentId }, sent);
  });

  it('are refused without a mail server; if it goes away later, their mails wait', async () => {
    const id = await create({ nextRunDate: '2026-03-31' });
    server.isConfigured = false;
    await expect(create()).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(create({ send: null })).resolves.toEqual(expect.any(Number));
    await bill(id);
    await context.get(DeliverMail).execute();
    const states = () =>
      context.database.query(
        `select m.status from document_mails m join documents d on d.id = m.document_id where d.retainer_id = $1`,
        [id],
      );
    expect(await states()).toEqual([{ status: 'queued' }, { status: 'queued' }]);
  });

  it('take the addresses of a call, each once', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `r${at}@example.com`);
    await expect(create({ send: { ...SEND, to: many } })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'send.to', problem: expect.stringContaining('at most 20') }],
    });
    const send = { ...SEND, to: ['dana@bücher.example', 'noa@example.com', 'Noa@example.com'] };
    const id = await create({ nextRunDate: plainDateOf(clock.now()), send });
    const [row] = await context.database.query<{ send: unknown }>(
      'select send from retainers where id = $1',
      [id],
    );
    expect(row?.send).toEqual({ ...SEND, to: ['dana@xn--bcher-kva.example', 'noa@example.com'], cc: [] });
  });
});
