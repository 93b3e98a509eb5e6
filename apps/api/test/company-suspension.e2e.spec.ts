import { setTimeout as sleep } from 'node:timers/promises';
import { IdentityModule, SuspendCompany } from '@counterfoil/identity';
import {
  type EventReceiver,
  type OpenContext,
  openTestContext,
  queueStores,
  startEventReceiver,
  startService,
  testConfig,
  type TestApi,
  type TestCompany,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { INVOICES, ITEM, PAGES, sendAs } from './furnished-company';
import { StreamReader } from './stream-reader';
import { upload } from './uploads';

const SWEEP_MS = 500;
/** Several sweeps, in which due work would have started. */
const SEVERAL_SWEEPS_MS = 4 * SWEEP_MS;
const REASON = 'no payment since May';
const NOTE = { operator: 'test', reason: REASON };

jest.setTimeout(180_000);

let service: TestService;
let other: TestApi;
let receiver: EventReceiver;
let identity: OpenContext;
let company: TestCompany;
let neighbour: TestCompany;
let clientId: number;

const send = (
  method: string,
  path: string,
  body?: unknown,
  { url = service.url, key = company.ownerKey } = {},
) => sendAs({ url, ownerKey: key }, method, path, body);

async function sendOk<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  expect({ path, status: answer.status < 300 ? 'ok' : answer.text }).toEqual({ path, status: 'ok' });
  return JSON.parse(answer.text) as T;
}

const command = (name: 'suspend' | 'resume', ...more: string[]) =>
  service.admin<Record<string, unknown>>(`company:${name}`, '--company', String(company.companyId), ...more);

/** The use case of the commands, because each process of a command takes seconds to load. */
const suspend = () => identity.get(SuspendCompany).suspend(company.companyId, NOTE);
const resume = () => identity.get(SuspendCompany).resume(company.companyId, NOTE);

const documents = async () => (await sendOk<{ total: number }>('GET', '/documents')).total;

// The suspension is checked in PostgreSQL, where due work is claimed. Neither queue store knows of it.
describe('the suspension of a company', () => {
  beforeAll(async () => {
    receiver = await startEventReceiver();
    const settings = { SCHEDULER_INTERVAL: `${SWEEP_MS}ms`, ...receiver.settings };
    service = await startService(queueStores()[0]!, settings);
    identity = await openTestContext(testConfig(service.database.url), [IdentityModule]);
    other = await service.startApi();
    company = await service.createCompany('Suspended');
    neighbour = await service.createCompany('Neighbour');
    const client = { name: 'Client', taxId: '514000000', type: 'COMPANY' };
    ({ clientId } = await sendOk<{ clientId: number }>('POST', '/clients/create', client));
  });
  afterAll(async () => {
    await identity.close();
    await service.stop();
    await receiver.close();
  });

  describe('a suspended company', () => {
    afterEach(() => resume().catch(() => undefined));

    it('is refused from the next call on, by every API, and nobody else is', async () => {
      const revoked = await sendOk<{ id: number; key: string }>('POST', '/api-keys', {
        role: 'viewer',
        userName: 'V',
      });
      await sendOk('DELETE', `/api-keys/${revoked.id}`);
      await send('GET', '/company', undefined, { url: other.url });
      await suspend();
      const answers = await Promise.all([
        ...[service.url, other.url].map((url) => send('GET', '/company', undefined, { url })),
        send('POST', INVOICES, { entityId: clientId, items: [ITEM] }),
        send('POST', INVOICES, 'no invoice'),
        send('PUT', '/company', { name: 'Free' }),
        send('GET', '/webhooks/stream'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
      for (const { text } of answers) {
        expect(JSON.parse(text)).toMatchObject({ success: false, code: 'COMPANY_SUSPENDED' });
        expect(text).not.toContain(REASON);
      }
      const elsewhere = { key: neighbour.ownerKey };
      expect((await send('GET', '/company', undefined, elsewhere)).status).toBe(200);
      expect((await send('GET', '/company', undefined, { key: revoked.key })).status).toBe(401);
      await resume();
      for (const url of [service.url, other.url])
        expect((await send('GET', '/company', undefined, { url })).status).toBe(200);
    });

    it('has its event streams ended, and others keep theirs', async () => {
      const [stream, spared] = [
        await StreamReader.connect(service.url, undefined, company.ownerKey),
        await StreamReader.connect(service.url, undefined, neighbour.ownerKey),
      ];
      await suspend();
      await until('the end of the stream', () => stream.isClosed);
      expect(spared.isClosed).toBe(false);
      spared.close();
    });

    it('shows nobody its files and payment pages, and shows them again afterwards', async () => {
      const file = await upload(service.url, 'a receipt', { key: company.ownerKey });
      const page = await sendOk<{ url: string }>('POST', PAGES, { amount: 5, description: 'Order 5' });
      const open = async () => [(await fetch(file.remoteUrl)).status, (await fetch(page.url)).status];
      const pay = () =>
        fetch(`${page.url}/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ providerToken: 'tok_approved' }),
        });
      expect(await open()).toEqual([200, 200]);
      await suspend();
      expect(await open()).toEqual([404, 404]);
      expect((await pay()).status).toBe(404);
      expect(await (await fetch(page.url)).text()).not.toContain(REASON);
      await resume();
      expect(await open()).toEqual([200, 200]);
      expect((await pay()).status).toBe(200);
    });

    it('issues nothing by its retainers, and makes up for the missed runs afterwards', async () => {
      const monthly = { entityId: clientId, interval: 'MONTHLY', documentType: 'ORDER', items: [ITEM] };
      const later = { ...monthly, nextRunDate: '2999-01-31' };
      const { retainerId } = await sendOk<{ retainerId: number }>('POST', '/retainers/create', later);
      const before = await documents();
      await suspend();
      await service.database.query(
        `update schedules set first_run_date = current_date - 1, next_run_date = current_date - 1 where id = $1`,
        [retainerId],
      );
      await sleep(SEVERAL_SWEEPS_MS);
      const [kept] = await service.database.query<{ runs: number; count: number }>(
        `select runs, (select count(*)::int from documents where retainer_id = schedules.id) as count
         from schedules where id = $1`,
        [retainerId],
      );
      expect(kept).toEqual({ runs: 0, count: 0 });
      await resume();
      await until('the missed run', async () => (await documents()) === before + 1);
      await sendOk('DELETE', `/retainers/${retainerId}`);
    });

    it('gets no deliveries, and gets the waiting ones afterwards', async () => {
      // Without the event of the retainer's document before, which may still be on its way.
      const received = () => receiver.received.filter(({ body }) => body.includes('"TAX_INVOICE"'));
      const hook = { url: receiver.url, events: ['document.created'] };
      const { id } = await sendOk<{ id: string }>('POST', '/webhooks', hook);
      await sendOk('POST', INVOICES, { entityId: clientId, items: [ITEM] });
      await until('the delivery', () => received().length === 1);
      await suspend();
      const again = `update webhook_deliveries set state = 'waiting', next_attempt_at = now(), finished_at = null
                    where endpoint_id = $1`;
      await until('the recorded delivery', async () => {
        const done = `select 1 from webhook_deliveries where endpoint_id = $1 and state = 'delivered'`;
        return (await service.database.query(done, [id])).length === 1;
      });
      await service.database.query(again, [id]);
      await sleep(SEVERAL_SWEEPS_MS);
      expect(received()).toHaveLength(1);
      await resume();
      await until('the waiting delivery', () => received().length === 2, 30_000);
      expect(received()[1]?.headers['webhook-id']).toBe(received()[0]?.headers['webhook-id']);
    });

    it('has its charges that had begun resolved', async () => {
      const slow = { provider: 'sandbox', providerToken: 'tok_timeout' };
      const { tokenId } = await sendOk<{ tokenId: number }>('POST', '/gateway/tokens', slow);
      const charge = await sendOk<{ chargeId: number; status: string }>('POST', '/gateway/charges', {
        ...{ tokenId, amount: 5 },
      });
      expect(charge.status).toBe('PENDING');
      await suspend();
      await until(
        'the outcome of the charge',
        async () => {
          const sql = `select 1 from charges where id = $1 and status = 'SUCCEEDED'`;
          return (await service.database.query(sql, [charge.chargeId])).length === 1;
        },
        60_000,
      );
    });
  });

  describe('the commands company:suspend and company:resume', () => {
    it('refuse what makes no sense, with the reason and exit code 1', async () => {
      const id = String(company.companyId);
      const run = (...args: string[]) => service.runAdmin(...args);
      await command('suspend');
      const outcomes = [
        await run('company:suspend', '--company', id),
        await run('company:resume', '--company', String(neighbour.companyId)),
        await run('company:suspend', '--company', '0'),
        await run('company:resume', '--company', '123456789012345'),
        await run('company:suspend', '--company', 'Suspended'),
        await run('company:suspend'),
        await run('company:suspend', '--company', id, '--reason', ' '),
        await run('company:suspend', '--company', id, '--reason', 'x'.repeat(1_001)),
      ];
      expect(await command('resume')).toEqual({
        ...{ companyId: company.companyId, state: 'active' },
        resumedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      const messages = [
        /^company \d+ has been suspended since \d{4}-/,
        /^company \d+ is not suspended$/m,
        /^there is no company 0$/m,
        /^there is no company 123456789012345$/m,
        /^--company must be a number/,
        /^--company is required/,
        /^--reason must have 1 to 1000 characters/,
        /^--reason must have 1 to 1000 characters/,
      ];
      for (const [at, message] of messages.entries()) {
        expect(outcomes[at]?.errors).toMatch(message);
        expect(outcomes[at]?.code).toBe(1);
      }
    });

    it('are recorded: the state for the company, the operator and the reason for the installation alone', async () => {
      await command('suspend', '--reason', REASON);
      await command('resume');
      const entries = await service.database.query<{ company_id: string; entry: string }>(
        `select company_id, entity || ' ' || split_part(acting, ' ', 1) || ' ' || coalesce(after::text, '') as entry
         from audit_staged
       union all
       select company_id, entity || ' ' || actor || ' ' || coalesce(after::text, '') from audit_log`,
      );
      const withReason = entries.filter(({ entry }) => entry.includes(REASON));
      expect(withReason.filter(({ company_id }) => Number(company_id) !== 0)).toEqual([]);
      // In no order: the worker moves them from one table to the other meanwhile.
      expect(withReason.map(({ entry }) => entry)).toContainEqual(
        expect.stringMatching(/^company_operation command:company:suspend .*"operator": "/),
      );
      const own = entries.filter(({ company_id }) => Number(company_id) === company.companyId);
      expect(own.map(({ entry }) => entry)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^company command:company:suspend .*"suspended_at": "\d/),
          expect.stringMatching(/^company command:company:resume .*"suspended_at": null/),
        ]),
      );
    });
  });

  describe('company:list', () => {
    it('shows every company with its state, as a table and as JSON', async () => {
      const hostile = await service.createCompany('\u001b[31mred\nline');
      await command('suspend');
      const run = (...args: string[]) => service.runAdmin('company:list', ...args);
      const table = await run();
      const lines = table.output.trimEnd().split('\n');
      expect(lines[0]).toMatch(/^ +ID {2}NAME +TAX ID +STATE +CREATED +KEYS +DOCUMENTS +LAST USED$/);
      expect(lines.find((line) => line.includes('Suspended'))).toMatch(
        / suspended +\d{4}-\d\d-\d\d +1 +\d+ +\d{4}/,
      );
      expect(table.output).not.toContain('\u001b');
      expect(lines.filter((line) => line.includes('red'))).toHaveLength(1);
      const json = (await run('--json')).output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; state: string; keys: number; name: string });
      expect(json).toHaveLength(lines.length - 1);
      expect(json.find(({ id }) => id === company.companyId)).toMatchObject({ state: 'suspended', keys: 1 });
      expect(json.find(({ id }) => id === hostile.companyId)?.name).toBe('\u001b[31mred\nline');
      await command('resume');
    });
  });
});
