import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { daysAfter, type PlainDate, plainDateOf } from '@counterfoil/kernel';
import {
  type Answered,
  DEMO_KEY,
  type EventReceiver,
  queueStores,
  type ServiceProcess,
  startEventReceiver,
  startProcesses,
  type TestApiProcess,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVENTS = 60;
/** Long enough that a delivery is in flight while other workers search for due ones. */
const ANSWER_MS = 700;

const shiftedBy = (milliseconds: number) => ({
  NODE_OPTIONS: `--require ${path.join(__dirname, 'shifted-date.cjs')}`,
  CLOCK_SHIFT_MS: String(milliseconds),
});
const IS_TOLD = "this machine's clock differs from the database's";
const SETTINGS = { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32', SCHEDULER_INTERVAL: '500ms' };

describe.each(queueStores())('with the $kind queue, clocks that differ', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let ahead: ServiceProcess;
  let entityId: number;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    receiver.answerWith((_, response) => setTimeout(() => response.end('ok'), ANSWER_MS));
    service = await startProcesses(store, {
      ...SETTINGS,
      ...shiftedBy(-HOUR_MS),
      NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    });
    ahead = await service.startWorkerProcess(shiftedBy(HOUR_MS));
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
    await service.request('POST', '/webhooks', { url: receiver.url, events: ['document.created'] });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  const invoice = () => ({ entityId, items: [{ description: 'x', quantity: 1, unitPrice: 1 }] });

  it('send nothing twice', async () => {
    for (let count = 0; count < EVENTS; count++) {
      const { status } = await service.request('POST', '/documents/create/tax-invoice', invoice());
      expect(status).toBe(201);
    }
    const ids = () => receiver.received.map(({ headers }) => headers['service-event-id']);
    await until('every event', () => new Set(ids()).size === EVENTS, 30_000);
    // Long enough for several sweeps and all answers.
    await sleep(3_000);
    expect(ids()).toHaveLength(EVENTS);
  });

  it('are reported in the logs', () => {
    for (const { log } of [ahead, service.worker, service.api]) expect(log).toContain(IS_TOLD);
  });

  it('issue no document before its day', async () => {
    await service.startWorkerProcess(shiftedBy(DAY_MS));
    const made = await service.request<{ retainerId: number }>('POST', '/retainers/create', {
      ...invoice(),
      ...{
        interval: 'MONTHLY',
        nextRunDate: plainDateOf(new Date(Date.now() + DAY_MS)),
        documentType: 'TAX_INVOICE',
      },
    });
    expect(made.status).toBe(201);
    await sleep(3_000);
    const runs = await service.database.query('select 1 from scheduled_runs');
    expect(runs).toEqual([]);
  });
});

describe('an API with a clock that is', () => {
  let service: ServiceProcesses;
  let entityId: number;
  let today: PlainDate;

  beforeAll(async () => {
    service = await startProcesses(queueStores()[0]!);
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
    const [row] = await service.database.query<{ now: Date }>('select clock_timestamp() as now');
    today = plainDateOf(row!.now);
  });
  afterAll(() => service?.stop());

  async function issue(
    { url }: TestApiProcess,
    dated: { issueDate?: PlainDate },
  ): Promise<Omit<Answered<unknown>, 'headers'>> {
    const response = await fetch(`${url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entityId, items: [{ description: 'x', quantity: 1, unitPrice: 1 }], ...dated }),
    });
    return { status: response.status, body: await response.json() };
  }

  it.each([
    ['a day ahead', DAY_MS],
    ['a day behind', -DAY_MS],
  ])('%s uses the date of the database, and logs the difference', async (_, shiftMs) => {
    const api = await service.startApiProcess(shiftedBy(shiftMs));
    const { status, body } = await issue(api, {});
    expect(status).toBe(201);
    const { visibleId } = body as { visibleId: string };
    const read = await service.request('GET', `/documents/id/${visibleId}`);
    expect(read.body).toMatchObject({ issueDate: today });

    expect(await issue(api, { issueDate: daysAfter(today, 31) })).toMatchObject({ status: 201 });
    expect(await issue(api, { issueDate: daysAfter(today, 32) })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ field: 'issueDate' }] },
    });
    expect(api.process.log).toContain(IS_TOLD);
  });
});
