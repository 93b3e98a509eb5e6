import {
  AllocateReceipt,
  CancelDocument,
  CloseDocument,
  DocumentsModule,
  type IssuedDocument,
  IssueDocument,
} from '@counterfoil/documents';
import { CreateCompany, EditCompany } from '@counterfoil/identity';
import { type Caller, Clock } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { RenderDocument } from '@counterfoil/renditions';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { QUEUED_MAX } from '../domain/mail';
import { MailDeliveryModule } from '../mail-delivery.module';
import { MailModule } from '../mail.module';
import { documentedStatement } from '../testing/documented-statement';
import { FakeMailServer } from '../testing/fake-mail-server';
import { DeliverMail } from './deliver-mail';
import { DocumentReminders } from './document-reminders';
import { MailQuota } from './mail-quota';
import { MailReader } from './ports/mail.reader';
import { MailServer } from './ports/mail-server';
import { QueueReminders } from './queue-reminders';
import { ReminderJobs } from './reminder-jobs';
import { Reminders } from './ports/reminders';
import { SendDocument } from './send-document';

const MODULES = [DocumentsModule, MailModule, MailDeliveryModule];
const RENDERER = { pdf: () => Promise.resolve(Buffer.from('%PDF')) };
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100, vatRate: 18 };
const DUE = '2027-02-10';
const ADDRESS = 'dana@example.com';
type Type = 'TAX_INVOICE' | 'PROFORMA' | 'ORDER';

describe('reminders', () => {
  const server = new FakeMailServer();
  const clock = new SetClock();
  let context: TestContext;
  let other: OpenContext;

  const override = (builder: TestingModuleBuilder) =>
    builder
      .overrideProvider(MailServer)
      .useValue(server)
      .overrideProvider(RenderDocument)
      .useValue(RENDERER)
      .overrideProvider(Clock)
      .useValue(clock);

  beforeAll(async () => {
    context = await startTestContext(MODULES, override);
    other = await openTestContext(context.config, MODULES, override);
  });
  afterAll(async () => {
    await other.close();
    await context.close();
  });
  beforeEach(async () => {
    for (const table of ['document_reminders', 'document_mails']) await run(`delete from ${table}`);
    server.taken.length = 0;
    server.isConfigured = true;
    clock.set(new Date());
  });

  const run = (sql: string, ...parameters: unknown[]) => context.database.query(sql, parameters);

  /** A company that reminds on some days, and its client. */
  async function seller(days: readonly number[] = [-3, 0, 7], email: string | null = ADDRESS) {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    if (days.length > 0)
      await run(`insert into company_reminders values ($1, $2, '2027-01-01T10:00:00Z')`, companyId, days);
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY', email } as const;
    const client = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    /** Issued on the first of the year, in the past of these tests. */
    const issue = async (type: Type = 'TAX_INVOICE', dueDate: string | null = DUE, currency = 'ILS') => {
      const draft = { type, entityId: client.id, currency, items: [ITEM], payments: [] };
      const { document } = await context.get(IssueDocument).execute(caller, draft);
      await run(
        `update documents set issue_date = '2027-01-01', created_at = '2027-01-01T10:00:00Z', due_date = $2 where id = $1`,
        ...[document.id, dueDate],
      );
      return document;
    };
    const pay = async ({ id, currency }: IssuedDocument['document'], amount: number) => {
      clock.set(new Date());
      const payments = [{ method: 'CASH' as const, amount }];
      const allocations = [{ documentId: id, amount }];
      const draft = {
        type: 'RECEIPT' as const,
        entityId: client.id,
        currency,
        items: [],
        payments,
        allocations,
      };
      return (await context.get(IssueDocument).execute(caller, draft)).document;
    };
    const credit = async ({ id, currency }: IssuedDocument['document']) => {
      clock.set(new Date());
      const draft = {
        type: 'REFUND' as const,
        entityId: client.id,
        currency,
        items: [ITEM],
        payments: [],
        refundOf: id,
      };
      return (await context.get(IssueDocument).execute(caller, draft)).document;
    };
    const mails = async () => {
      const page = { limit: 1_000, offset: 0 };
      return (await context.get(MailReader).list(companyId, { filter: {}, page })).data;
    };
    const reminded = async () =>
      (
        await run(
          `select reminder_date::text || ' ' || days as row from document_reminders where company_id = $1
            order by reminder_date, document_id`,
          companyId,
        )
      ).map(({ row }) => row as string);
    return { ...{ companyId, caller, client }, ...{ issue, pay, credit, mails, reminded } };
  }
  type Seller = Awaited<ReturnType<typeof seller>>;
  /** Queues what is due at 10 in the morning in Israel, and sends it. */
  const on = async ({ companyId }: Seller, day: string, at: OpenContext = context) => {
    clock.set(`${day}T08:00:00Z`);
    await at.get(QueueReminders).execute(companyId, 0);
  };
  const nextOf = async ({ companyId }: Seller, { id }: IssuedDocument['document']) =>
    (await context.get(DocumentReminders).list(companyId, { id })).nextDate;
  const sendAll = async () => {
    const count = server.taken.length;
    await context.get(DeliverMail).execute();
    if (server.taken.length > count) await sendAll();
  };

  it('are sent on each of the days, once', async () => {
    const acme = await seller();
    await acme.issue();
    for (const day of ['06', '07', '07', '08', '09', '10', '10', '11', '16', '17', '18', '28'])
      await on(acme, `2027-02-${day}`);
    expect(await acme.reminded()).toEqual(['2027-02-07 -3', '2027-02-10 0', '2027-02-17 7']);
  });

  it('are not queued for days that the operator notes as done after a restore', async () => {
    const acme = await seller([0]);
    await acme.issue();
    await on(acme, '2027-02-08');
    const sql = documentedStatement('reminder_progress');
    await run(sql.replace('current_date', `'${DUE}'`).replace('now()', `'${DUE}T08:00:00Z'`));
    await on(acme, DUE);
    expect(await acme.reminded()).toEqual([]);
  });

  it('show the day of the next one', async () => {
    const acme = await seller();
    const invoice = await acme.issue();
    const nextAt = (now: string) => (clock.set(now), nextOf(acme, invoice));
    expect(await nextAt('2027-02-06T22:30:00Z')).toBe('2027-02-07');
    await on(acme, '2027-02-07');
    expect(await nextAt('2027-02-07T08:00:00Z')).toBe('2027-02-10');
    // It waits for room in the limits of mails, or for a worker.
    expect(await nextAt('2027-02-11T08:00:00Z')).toBe('2027-02-11');
    expect(await nextAt('2027-02-11T20:00:00Z')).toBe('2027-02-12');
    await on(acme, '2027-02-12');
    expect(await nextAt('2027-02-12T08:00:00Z')).toBe('2027-02-17');
    expect(await nextAt('2027-02-24T15:00:00Z')).toBe('2027-02-24');
    // On the next day it will be too late for the one of seven days before.
    expect(await nextAt('2027-02-24T20:00:00Z')).toBeNull();
    server.isConfigured = false;
    expect(await nextAt('2027-02-24T15:00:00Z')).toBeNull();
    server.isConfigured = true;
    await on(acme, '2027-02-17');
    expect(await nextAt('2027-02-17T09:00:00Z')).toBeNull();
    const unreachable = await seller([7], null);
    expect(await nextOf(unreachable, await unreachable.issue())).toBeNull();
    const patient = await seller([7]);
    const late = await patient.issue();
    await run(`update documents set due_date = '9999-12-31' where id = $1`, late.id);
    expect(await nextOf(patient, late)).toBeNull();
  });

  it.each([
    ['5:59 UTC in winter', '2027-02-10T05:59:00Z', []],
    ['6:00 UTC in winter', '2027-02-10T06:00:00Z', ['2027-02-10 0']],
    ['the evening before in UTC', '2027-02-09T22:30:00Z', []],
    ['17:59 UTC in winter', '2027-02-10T17:59:00Z', ['2027-02-10 0']],
    ['18:00 UTC in winter', '2027-02-10T18:00:00Z', []],
    ['the night after in Israel', '2027-02-10T23:00:00Z', []],
  ])('are queued from 8 to 20 in Israel: at %s', async (_, now, rows) => {
    const acme = await seller([0]);
    await acme.issue();
    await on(acme, '2027-02-08');
    clock.set(now);
    await context.get(QueueReminders).execute(acme.companyId, 0);
    expect(await acme.reminded()).toEqual(rows);
  });

  it('have the amount that is left to pay, and the PDF as a copy', async () => {
    const acme = await seller();
    const invoice = await acme.issue();
    await acme.pay(invoice, 18.5);
    await on(acme, DUE);
    await sendAll();
    expect(server.taken).toMatchObject([
      {
        ...{ recipient: ADDRESS, to: [ADDRESS], cc: [], fromName: 'Acme', isAutomatic: true },
        subject: `Payment reminder: Tax invoice no. ${invoice.number} from Acme`,
        attachments: [{ fileName: `tax-invoice-${invoice.number}.pdf` }],
      },
    ]);
    expect(server.taken[0]!.text).toContain('Total: 118.00 ILS\nLeft to pay: 99.50 ILS');
    expect(await acme.mails()).toMatchObject([{ purpose: 'reminder', kind: 'to', status: 'accepted' }]);
    const events = await run(
      `select body::json -> 'data' -> 'sending' ->> 'purpose' as purpose from outbox_events
        where company_id = $1 and type = 'document.sent'`,
      acme.companyId,
    );
    expect(events).toEqual([{ purpose: 'reminder' }]);
  });

  it.each<[string, (acme: Seller, invoice: IssuedDocument['document']) => Promise<unknown>]>([
    ['was paid', (acme, invoice) => acme.pay(invoice, 118)],
    ['was credited', (acme, invoice) => acme.credit(invoice)],
    ['was closed', ({ caller }, { visibleId }) => context.get(CloseDocument).execute(caller, visibleId)],
    ['is exempt', ({ caller }, { id }) => context.get(DocumentReminders).enable(caller, { id }, false)],
    [
      'is to a client without reminders',
      ({ client }) => run('update entities set reminders = false where id = $1', client.id),
    ],
    [
      'is of a suspended company',
      ({ companyId }) => run('update companies set suspended_at = now() where id = $1', companyId),
    ],
    [
      'is of a company that has turned them off',
      ({ companyId }) => run('delete from company_reminders where company_id = $1', companyId),
    ],
    ['has no due date', (_, { id }) => run('update documents set due_date = null where id = $1', id)],
    [
      'was issued on that day',
      (_, { id }) => run(`update documents set created_at = '2027-02-10T05:00:00Z' where id = $1`, id),
    ],
  ])('are not sent of a document that %s', async (_, happen) => {
    const acme = await seller([0]);
    const invoice = await acme.issue();
    clock.set('2027-02-09T08:00:00Z');
    expect(await nextOf(acme, invoice)).toBe(DUE);
    await happen(acme, invoice);
    clock.set('2027-02-09T08:00:00Z');
    expect(await nextOf(acme, invoice)).toBeNull();
    await on(acme, DUE);
    expect(await acme.reminded()).toEqual([]);
    expect(await acme.mails()).toEqual([]);
  });

  it('are sent again of a document whose receipt was cancelled', async () => {
    const acme = await seller();
    const invoice = await acme.issue();
    const receipt = await acme.pay(invoice, 118);
    await context.get(CancelDocument).execute(acme.caller, receipt.visibleId, 'bounced');
    await on(acme, DUE);
    expect(await acme.reminded()).toEqual(['2027-02-10 0']);
  });

  it('are sent of proformas and in any currency, and not of orders', async () => {
    const acme = await seller();
    const proforma = await acme.issue('PROFORMA', DUE, 'USD');
    await acme.issue('ORDER');
    await on(acme, DUE);
    await sendAll();
    expect(server.taken.map(({ text }) => /Left to pay: (.*)/.exec(text)?.[1])).toEqual(['118.00 USD']);
    expect(server.taken[0]!.subject).toContain(`Proforma invoice no. ${proforma.number}`);
  });

  it('are withdrawn if the document is paid before the mail is sent', async () => {
    const acme = await seller();
    const invoice = await acme.issue();
    await on(acme, DUE);
    await acme.pay(invoice, 118);
    clock.set(`${DUE}T09:00:00Z`);
    await sendAll();
    expect(server.taken).toEqual([]);
    expect(await acme.mails()).toMatchObject([{ status: 'failed', failure: 'withdrawn', attempts: 0 }]);
    const events = await run(
      `select type from outbox_events where company_id = $1 and type like 'document.sen%'`,
      acme.companyId,
    );
    expect(events).toEqual([{ type: 'document.send_failed' }]);
  });

  it('wait for the morning if their mails are not sent in the evening', async () => {
    const acme = await seller([0]);
    await acme.issue();
    await on(acme, DUE);
    clock.set(`${DUE}T18:30:00Z`);
    await context.get(DeliverMail).execute();
    clock.set('2027-02-11T05:59:00Z');
    await context.get(DeliverMail).execute();
    expect(server.taken).toEqual([]);
    expect(await acme.mails()).toMatchObject([{ status: 'queued', attempts: 0 }]);
    clock.set('2027-02-11T06:00:00Z');
    await sendAll();
    expect(await acme.mails()).toMatchObject([{ status: 'accepted' }]);
  });

  it.each<[string, (acme: Seller, invoice: IssuedDocument['document']) => Promise<unknown>]>([
    [
      'the company has turned them off',
      ({ companyId }) => run('delete from company_reminders where company_id = $1', companyId),
    ],
    [
      'the company has taken back their day',
      ({ companyId }) => run(`update company_reminders set days = '{0,7}' where company_id = $1`, companyId),
    ],
    [
      'the document is exempt',
      ({ caller }, { id }) => context.get(DocumentReminders).enable(caller, { id }, false),
    ],
    ['their day is more than a week ago', () => Promise.resolve(clock.set('2027-02-15T08:00:00Z'))],
    [
      'a later day has come, even if that is not queued yet',
      () => Promise.resolve(clock.set(`${DUE}T08:00:00Z`)),
    ],
  ])('that wait are withdrawn if %s', async (_, happen) => {
    const acme = await seller([-3, 0, 7]);
    const invoice = await acme.issue();
    await on(acme, '2027-02-07');
    await happen(acme, invoice);
    await sendAll();
    expect(server.taken).toEqual([]);
    expect(await acme.mails()).toMatchObject([{ status: 'failed', failure: 'withdrawn' }]);
  });

  it('that were queued late are withdrawn a week after their day, not after that of the queueing', async () => {
    const acme = await seller([0]);
    await acme.issue();
    await on(acme, '2027-02-16');
    expect(await acme.reminded()).toEqual(['2027-02-16 0']);
    clock.set('2027-02-18T08:00:00Z');
    await sendAll();
    expect(server.taken).toEqual([]);
    expect(await acme.mails()).toMatchObject([{ failure: 'withdrawn' }]);
  });

  it('that wait until the next day of the plan are one mail', async () => {
    const acme = await seller();
    await acme.issue();
    await on(acme, '2027-02-07');
    await on(acme, DUE);
    // The first one is withdrawn.
    await context.get(DeliverMail).execute();
    await sendAll();
    expect(server.taken).toHaveLength(1);
    expect(await acme.reminded()).toEqual(['2027-02-07 -3', '2027-02-10 0']);
    expect((await acme.mails()).map(({ status }) => status).sort()).toEqual(['accepted', 'failed']);
  });

  it('take half of the daily limit of mails, and go on when the first are a day old', async () => {
    const acme = await seller([0]);
    for (let count = 0; count < 3; count++) await acme.issue();
    const quota = jest.spyOn(context.get(MailQuota), 'of').mockResolvedValue(3);
    try {
      await on(acme, DUE);
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(1);
      await run(
        `update document_mails set created_at = now() - interval '25 hours' where company_id = $1`,
        acme.companyId,
      );
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(2);
      // A reminder that was withdrawn has not been sent.
      await run(
        `update document_mails set status = 'failed', failure = 'withdrawn', next_attempt_at = null,
           finished_at = now() where company_id = $1`,
        acme.companyId,
      );
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(3);
    } finally {
      quota.mockRestore();
    }
  });

  it('are sent although more days were added on the day of a reminder that was late', async () => {
    const acme = await seller([0]);
    await acme.issue();
    await on(acme, '2027-02-11');
    await run(
      `update company_reminders set days = '{0,1}', changed_at = $2 where company_id = $1`,
      ...[acme.companyId, clock.now()],
    );
    await on(acme, '2027-02-11');
    await sendAll();
    expect(await acme.reminded()).toEqual(['2027-02-11 0']);
    expect((await acme.mails()).map(({ status }) => status)).toEqual(['accepted']);
  });

  it('follow a change of the days on the day that was done already', async () => {
    const acme = await seller([7]);
    await acme.issue();
    await on(acme, DUE);
    const reminders = context.get(Reminders);
    expect(await reminders.dueCompanies(DUE, 1_000)).not.toContain(acme.companyId);
    await run(
      `update company_reminders set days = '{0,7}', changed_at = $2 where company_id = $1`,
      ...[acme.companyId, clock.now()],
    );
    expect(await reminders.dueCompanies(DUE, 1_000)).toContain(acme.companyId);
    await on(acme, DUE);
    expect(await acme.reminded()).toEqual(['2027-02-10 0']);
    clock.set(new Date(clock.now().getTime() + 60_000));
    await context.get(QueueReminders).execute(acme.companyId, 0);
    expect(await reminders.dueCompanies(DUE, 1_000)).not.toContain(acme.companyId);
  });

  it('go on in batches after the last document of the batch before', async () => {
    const acme = await seller([0]);
    for (let count = 0; count < 3; count++) await acme.issue();
    const room = jest.spyOn(context.get(MailQuota), 'roomForReminders').mockResolvedValue(1);
    const found = jest.spyOn(context.get(Reminders), 'findDue');
    try {
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(3);
      const begins = found.mock.calls.map(([, , { after }]) => after);
      expect(begins).toHaveLength(3);
      expect(begins[0]).toBe(0);
      expect(begins).toEqual([...new Set(begins)].sort((a, b) => a - b));
    } finally {
      room.mockRestore();
      found.mockRestore();
    }
  });

  it('of companies that have no room do not hold up the others', async () => {
    const blocked = await seller([0]);
    await blocked.issue();
    await on(blocked, '2027-02-09');
    const room = jest.spyOn(context.get(MailQuota), 'roomForReminders').mockResolvedValue(0);
    await on(blocked, DUE);
    room.mockRestore();
    const waiting = await seller([0]);
    const due = await context.get(Reminders).dueCompanies(DUE, 1_000);
    expect(due.indexOf(waiting.companyId)).toBeLessThan(due.indexOf(blocked.companyId));
    expect(due).toContain(blocked.companyId);
  });

  it('of days that were missed are one: the latest, if it is not older than a week', async () => {
    const acme = await seller([-3, 0, 1, 2, 7]);
    await acme.issue();
    await acme.issue('TAX_INVOICE', '2027-02-01');
    await acme.issue('TAX_INVOICE', '2027-01-20');
    await on(acme, '2027-02-04');
    await run('delete from document_reminders where company_id = $1', acme.companyId);
    await on(acme, '2027-02-13');
    // Of the 10th: the 12th is the latest. Of the 1st: the 8th. Of the 20th: none for long.
    expect((await acme.reminded()).sort()).toEqual(['2027-02-13 2', '2027-02-13 7']);
    await on(acme, '2027-02-17');
    expect(await acme.reminded()).toContain('2027-02-17 7');
    expect(await acme.reminded()).toHaveLength(3);
  });

  it('begin on the day on which they are turned on', async () => {
    const acme = await seller([0, 7]);
    await acme.issue();
    await run(
      `update company_reminders set changed_at = '2027-02-12T12:00:00Z' where company_id = $1`,
      acme.companyId,
    );
    await on(acme, '2027-02-12');
    expect(await acme.reminded()).toEqual([]);
    await on(acme, '2027-02-17');
    expect(await acme.reminded()).toEqual(['2027-02-17 7']);
  });

  it('do not begin anew when the same list is sent again', async () => {
    const acme = await seller([-3, 0]);
    const begun = async () =>
      (await run('select changed_at as at from company_reminders where company_id = $1', acme.companyId))[0]!
        .at as Date;
    const before = await begun();
    await context.get(EditCompany).execute(acme.caller, { reminderDays: [-3, 0] });
    expect(await begun()).toEqual(before);
    await context.get(EditCompany).execute(acme.caller, { reminderDays: [-3, 0, 7] });
    expect((await begun()).getTime()).not.toBe(before.getTime());
  });

  it('without an address are skipped, and shown', async () => {
    const acme = await seller([0], 'דנה@example.com');
    const document = await acme.issue();
    const { id } = document;
    clock.set('2027-01-20T08:00:00Z');
    expect(await nextOf(acme, document)).toBeNull();
    await on(acme, DUE);
    expect(await acme.mails()).toEqual([]);
    expect(await context.get(DocumentReminders).list(acme.companyId, { id })).toEqual({
      enabled: true,
      nextDate: null,
      reminders: [
        {
          ...{ date: DUE, days: 0, mailId: null, recipient: null, status: null, failure: null },
          ...{ skipped: 'no_address', createdAt: expect.any(Date) },
        },
      ],
    });
  });

  it('go to the address that the client has on that day', async () => {
    const acme = await seller();
    await acme.issue();
    await run(`update entities set email = 'new@example.com' where id = $1`, acme.client.id);
    await on(acme, DUE);
    expect(await acme.mails()).toMatchObject([{ recipient: 'new@example.com' }]);
  });

  it('are queued once, however many workers there are', async () => {
    const acme = await seller([0]);
    for (let count = 0; count < 12; count++) await acme.issue();
    await run('update documents set due_date = $2 where company_id = $1', acme.companyId, DUE);
    await Promise.all(Array.from({ length: 8 }, (_, at) => on(acme, DUE, at % 2 === 0 ? context : other)));
    expect(await acme.mails()).toHaveLength(12);
    expect(await acme.reminded()).toHaveLength(12);
  });

  it.each([
    ['what calls have left', 'document', QUEUED_MAX - 2],
    ['half', 'reminder', QUEUED_MAX / 2 - 1],
  ])(
    'take %s of the mails that a company may have queued, and go on when there is room',
    async (...given) => {
      const [, purpose, count] = given;
      const acme = await seller([0]);
      const first = await acme.issue();
      await acme.issue();
      const content = { subject: null, message: null, language: null, stamp: 'original' } as const;
      const to = [ADDRESS];
      await context.get(SendDocument).execute(acme.caller, { id: first.id }, { ...content, to, cc: [] });
      await run(
        `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         sent_by, created_at, next_attempt_at, purpose)
       select company_id, document_id, 'x', 'x' || n, kind, to_addresses, cc_addresses, stamp, sent_by, created_at,
              next_attempt_at, $3 from document_mails cross join generate_series(1, $2) n where company_id = $1`,
        ...[acme.companyId, count, purpose],
      );
      await on(acme, DUE);
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(1);
      await run(`delete from document_mails where company_id = $1 and send_id = 'x'`, acme.companyId);
      await on(acme, DUE);
      expect(await acme.reminded()).toHaveLength(2);
    },
  );

  it('of a company are signalled until they are all queued, and only with a mail server', async () => {
    const acme = await seller([0]);
    await acme.issue();
    clock.set(`${DUE}T08:00:00Z`);
    const due = () => context.get(Reminders).dueCompanies(DUE, 1_000);
    expect(await due()).toContain(acme.companyId);
    server.isConfigured = false;
    await on(acme, DUE);
    expect(await acme.reminded()).toEqual([]);
    server.isConfigured = true;
    const signal = jest.spyOn(context.get(ReminderJobs), 'signal').mockResolvedValue();
    await context.get(ReminderJobs).execute();
    expect(signal.mock.calls[0]![0]).toContain(acme.companyId);
    signal.mockRestore();
    await on(acme, DUE);
    expect(await due()).not.toContain(acme.companyId);
  });

  it('pay no attention to a receipt that pays nothing of the document', async () => {
    const acme = await seller([0]);
    const invoice = await acme.issue();
    const receipt = await acme.pay(invoice, 18);
    await context.get(CancelDocument).execute(acme.caller, receipt.visibleId, 'an error');
    const draft = {
      type: 'RECEIPT' as const,
      ...{ entityId: acme.client.id, items: [] },
      payments: [{ method: 'CASH' as const, amount: 18 }],
    };
    const { document } = await context.get(IssueDocument).execute(acme.caller, draft);
    await on(acme, DUE);
    const allocations = [{ documentId: invoice.id, amount: 18 }];
    await context.get(AllocateReceipt).execute(acme.caller, { receiptId: document.id, allocations });
    await sendAll();
    expect(server.taken[0]!.text).toContain('Left to pay: 100.00 ILS');
  });
});
