import { DocumentsModule, IssueDocument } from '@counterfoil/documents';
import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { JobQueue } from '@counterfoil/queue';
import { RenderDocument } from '@counterfoil/renditions';
import {
  type OpenContext,
  openTestContext,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import type { MailOutcome } from '../domain/mail';
import { MailDeliveryModule } from '../mail-delivery.module';
import { MailModule } from '../mail.module';
import { documentedStatement } from '../testing/documented-statement';
import { FakeMailServer } from '../testing/fake-mail-server';
import { DeliverMail } from './deliver-mail';
import { MailReader, type MailRecord } from './ports/mail.reader';
import { MailServer } from './ports/mail-server';
import { RecoverMails } from './recover-mails';
import { SendDocument } from './send-document';

class FakeRenderer {
  isBroken = false;

  pdf(): Promise<Buffer> {
    return this.isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(Buffer.from('%PDF'));
  }
}

const MODULES = [DocumentsModule, MailModule, MailDeliveryModule];
const CONTENT = { subject: null, message: null, language: null, stamp: 'original' } as const;

describe('delivering mails', () => {
  const server = new FakeMailServer();
  const renderer = new FakeRenderer();
  let context: TestContext;
  let worker: DeliverMail;
  let other: OpenContext;

  const override = (builder: TestingModuleBuilder) =>
    builder.overrideProvider(MailServer).useValue(server).overrideProvider(RenderDocument).useValue(renderer);

  beforeAll(async () => {
    context = await startTestContext(MODULES, override, { MAIL_RETRY_DELAYS: '1m,5m' });
    other = await openTestContext(context.config, MODULES, override);
    worker = context.get(DeliverMail);
  });
  afterAll(async () => {
    await other.close();
    await context.close();
  });
  beforeEach(async () => {
    await context.database.query('delete from document_mails');
    server.taken.length = 0;
    server.behave = () => Promise.resolve({ kind: 'accepted', response: '250 ok' });
    renderer.isBroken = false;
  });

  /** A company with one document. */
  async function seller() {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const client = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const draft = { type: 'TAX_INVOICE', entityId: client.id, items, payments: [] } as const;
    const { document } = await context.get(IssueDocument).execute(caller, draft);
    const send = (to: readonly string[]) =>
      context.get(SendDocument).execute(caller, { id: document.id }, { ...CONTENT, to, cc: [] });
    const mails = async (): Promise<readonly MailRecord[]> => {
      const page = await context
        .get(MailReader)
        .list(companyId, { filter: {}, page: { limit: 100, offset: 0 } });
      return [...page.data].sort((a, b) => a.id - b.id);
    };
    return { companyId, send, mails };
  }
  const addresses = (count: number, name = 'r') =>
    Array.from({ length: count }, (_, at) => `${name}${at}@example.com`);

  it('sends each mail once, however many workers there are', async () => {
    const { send, mails } = await seller();
    for (let call = 0; call < 5; call++) await send(addresses(20, `c${call}-`));
    const workers = [worker, other.get(DeliverMail)];
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        for (let turn = 0; turn < 15; turn++) await workers[at % 2]!.execute();
      }),
    );
    expect([server.taken.length, new Set(server.taken.map(({ recipient }) => recipient)).size]).toEqual([
      100, 100,
    ]);
    expect((await mails()).every(({ status }) => status === 'accepted')).toBe(true);
  });

  it('names the document of a mail by its type and number, in the list and alone', async () => {
    const { companyId, send, mails } = await seller();
    await send(addresses(1));
    const [mail] = await mails();
    expect(mail).toMatchObject({ documentType: 'TAX_INVOICE', documentNumber: 1 });
    expect(await context.get(MailReader).find(companyId, mail!.id)).toEqual(mail);
  });

  it('serves companies in turns', async () => {
    const [many, few] = [await seller(), await seller()];
    await many.send(addresses(10, 'many'));
    await few.send(addresses(1, 'few'));
    const releases: (() => void)[] = [];
    server.behave = () =>
      new Promise((resolve) => releases.push(() => resolve({ kind: 'accepted', response: '250 ok' })));
    const first = worker.execute();
    while (releases.length < 1) await new Promise(setImmediate);
    const second = worker.execute();
    while (releases.length < 2) await new Promise(setImmediate);
    expect(server.taken[1]?.recipient).toBe('few0@example.com');
    for (const release of releases) release();
    await Promise.all([first, second]);
  });

  it('sends nothing for a suspended company until it is resumed', async () => {
    const { companyId, send, mails } = await seller();
    await send(addresses(1));
    await context.database.query('update companies set suspended_at = now() where id = $1', [companyId]);
    expect(await context.get(RecoverMails).backlog()).toMatchObject({ waiting: 0 });
    await worker.execute();
    expect(server.taken).toEqual([]);
    await context.database.query('update companies set suspended_at = null where id = $1', [companyId]);
    await worker.execute();
    expect(await mails()).toMatchObject([{ status: 'accepted', stamp: 'original' }]);
  });

  it('never sends a mail again that may be handed over, and waits long for the answer', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    let answer: (outcome: MailOutcome) => void = () => undefined;
    server.behave = () => new Promise((resolve) => (answer = resolve));
    const interrupted = worker.execute();
    while (server.taken.length === 0) await new Promise(setImmediate);
    await context.database.query(`update document_mails set lease_until = now() - interval '1 second'`);
    await other.get(DeliverMail).execute();
    expect(await mails()).toMatchObject([{ status: 'queued', failure: null }]);
    await context.database.query(
      `update document_mails set lease_until = now() - interval '1 second', next_attempt_at = now() - interval '1 second'`,
    );
    await other.get(DeliverMail).execute();
    expect(server.taken).toHaveLength(1);
    expect(await mails()).toMatchObject([{ status: 'failed', failure: 'uncertain', nextAttemptAt: null }]);
    const [event] = await context.database.query<{ type: string }>(
      'select type from outbox_events order by sequence desc limit 1',
    );
    expect(event?.type).toBe('document.send_failed');
    answer({ kind: 'accepted', response: '250 ok' });
    await interrupted;
    expect(await mails()).toMatchObject([{ status: 'failed', failure: 'uncertain' }]);
  });

  it('sends a mail again whose server postponed it while the worker stopped', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    const stopped = await openTestContext(context.config, MODULES, override);
    const stopping = stopped.get(DeliverMail);
    server.behave = () => {
      stopping.stop();
      return Promise.resolve({ kind: 'later', response: '451 busy' });
    };
    await stopping.execute();
    await stopped.close();
    expect(await mails()).toMatchObject([{ status: 'queued', attempts: 1, response: '451 busy' }]);
    await context.database.query(`update document_mails set next_attempt_at = now() - interval '1 second'`);
    server.behave = () => Promise.resolve({ kind: 'accepted', response: '250 ok' });
    await worker.execute();
    expect(await mails()).toMatchObject([{ status: 'accepted' }]);
  });

  it('leaves mails alone while no mail server is configured', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    server.isConfigured = false;
    await worker.execute();
    server.isConfigured = true;
    expect(await mails()).toMatchObject([{ status: 'queued', attempts: 0 }]);
    server.isConfigured = false;
    await expect(send(addresses(1))).rejects.toMatchObject({ code: 'INVALID_STATE' });
    server.isConfigured = true;
  });

  it('sends none of those that the operator has ended after a restore', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    await context.database.query(documentedStatement('document_mails'));
    await worker.execute();
    expect(await mails()).toMatchObject([{ status: 'failed', failure: 'uncertain', attempts: 0 }]);
  });

  it('limits the queued mails of a company', async () => {
    const { companyId, send } = await seller();
    await send(addresses(1));
    await context.database.query(
      `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         sent_by, created_at, next_attempt_at)
       select company_id, document_id, 'x', 'x' || n, kind, to_addresses, cc_addresses, stamp, sent_by, created_at,
              next_attempt_at from document_mails cross join generate_series(1, 998) n where company_id = $1`,
      [companyId],
    );
    await expect(send(addresses(2))).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    await send(addresses(1));
  });

  it('does not hand over a mail that another worker has claimed', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    renderer.pdf = async () => {
      await context.database.query('update document_mails set lease_token = gen_random_uuid()');
      return Buffer.from('%PDF');
    };
    await worker.execute();
    Reflect.deleteProperty(renderer, 'pdf');
    expect(server.taken).toEqual([]);
    expect(await mails()).toMatchObject([{ status: 'queued', attempts: 0 }]);
  });

  it('sends a postponed mail again after the delays, and then gives up', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    server.behave = () => Promise.resolve({ kind: 'later', response: '451 busy' });
    const delays: number[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      await worker.execute();
      const [mail] = await mails();
      expect(mail).toMatchObject({ status: 'queued', attempts: attempt + 1, response: '451 busy' });
      delays.push(Math.round((mail!.nextAttemptAt!.getTime() - Date.now()) / 60_000));
      await worker.execute();
      await context.database.query(`update document_mails set next_attempt_at = now() - interval '1 second'`);
    }
    expect(delays).toEqual([1, 5]);
    await worker.execute();
    expect(await mails()).toMatchObject([
      { status: 'failed', failure: 'expired', response: '451 busy', attempts: 3 },
    ]);
    expect(server.taken).toHaveLength(3);
  });

  it('tries a document again whose PDF could not be made', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    renderer.isBroken = true;
    await worker.execute();
    expect(server.taken).toEqual([]);
    expect(await mails()).toMatchObject([
      { status: 'queued', attempts: 1, response: 'the PDF of the document could not be made' },
    ]);
  });

  it('signals due mails, and measures them', async () => {
    const { send } = await seller();
    const sent = await send(addresses(3));
    expect(await context.get(RecoverMails).backlog()).toMatchObject({ waiting: 3 });
    const signal = jest.spyOn(context.get(JobQueue), 'signal');
    await context.get(RecoverMails).execute();
    const jobs = sent.mails.map(({ id }) => ({ id: `mail-${id}`, payload: { mailId: id } }));
    expect(signal.mock.calls).toContainEqual(['mail.send', jobs]);
    signal.mockRestore();
    server.isConfigured = false;
    expect(await context.get(RecoverMails).backlog()).toEqual({ waiting: 0, oldestDueAt: null });
    server.isConfigured = true;
  });

  it('gives a mail back when the worker stops, without an attempt', async () => {
    const { send, mails } = await seller();
    await send(addresses(1));
    const stopped = await openTestContext(context.config, MODULES, override);
    const stopping = stopped.get(DeliverMail);
    renderer.pdf = () => {
      stopping.stop();
      return Promise.resolve(Buffer.from('%PDF'));
    };
    await stopping.execute();
    Reflect.deleteProperty(renderer, 'pdf');
    await stopped.close();
    expect(server.taken).toEqual([]);
    expect(await mails()).toMatchObject([{ status: 'queued', attempts: 0 }]);
    await worker.execute();
    expect(await mails()).toMatchObject([{ status: 'accepted', attempts: 1 }]);
  });
});
