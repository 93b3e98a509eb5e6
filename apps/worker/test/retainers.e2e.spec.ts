import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_POINTS } from '@counterfoil/config';
import { type Interval, occurrence, plainDateOf } from '@counterfoil/kernel';
import {
  type EventReceiver,
  oneQueueStore,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { loseQueue } from './lost-queue';

interface Row {
  readonly id: number;
  readonly nextRunDate: string;
  readonly lastDocument: { readonly issueDate: string } | null;
  readonly refusal: { readonly runDate: string; readonly code: string; readonly attempts: number } | null;
}

interface Envelope {
  readonly type: string;
  readonly data: {
    readonly document?: { readonly retainerId: number | null; readonly issueDate: string };
    readonly retainer?: { readonly id: number };
    readonly runDate?: string;
    readonly code?: string;
  };
}

const ITEM = { description: 'Support', quantity: 1, unitPrice: 100 };
/** The company of a client. */
const OURS = '(select company_id from entities where id = $1)';
const TEN_YEARS_LATE = 170;
/** Items without a valid document: with VAT the total exceeds the maximum. */
const NEARLY_TOO_MUCH = Array.from({ length: 90 }, () => ({ ...ITEM, unitPrice: 9_999_999_999 }));
/** Documents of retainers settle nothing, so they do not reach the fault points of settlements. */
const POINTS = FAULT_POINTS.issuance.filter((point) => !point.startsWith('settling.'));

/** On one queue store: retainer-years.e2e issues over both. */
describe.each(oneQueueStore())('with the $kind queue, a retainer', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let entityId: number;
  const today = plainDateOf(new Date());

  beforeAll(async () => {
    receiver = await startEventReceiver();
    service = await startProcesses(store, {
      ...receiver.settings,
      SCHEDULER_INTERVAL: '500ms',
    });
    const client = { name: 'Acme', taxId: '199999996', type: 'COMPANY' };
    entityId = (await ok<{ clientId: number }>('POST', '/clients/create', client)).clientId;
    const events = ['document.created', 'retainer.document_refused'];
    await ok('POST', '/webhooks', { url: receiver.url, events });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  async function ok<Answer>(method: string, path: string, sent?: unknown): Promise<Answer> {
    const { status, body } = await service.request<Answer>(method, path, sent);
    expect({ path, status: status < 300 ? 'ok' : body }).toEqual({ path, status: 'ok' });
    return body;
  }
  const create = async (nextRunDate: string, items: object[] = [ITEM], interval: Interval = 'MONTHLY') => {
    const body = { entityId, items, interval, nextRunDate, documentType: 'TAX_INVOICE' };
    return (await ok<{ retainerId: number }>('POST', '/retainers/create', body)).retainerId;
  };
  const rowOf = async (id: number) =>
    (await ok<{ data: Row[] }>('GET', '/retainers')).data.find((row) => row.id === id);
  const received = (type: string) =>
    receiver.received.map(({ body }) => JSON.parse(body) as Envelope).filter((event) => event.type === type);
  const datesReceived = (id: number) =>
    received('document.created')
      .filter(({ data }) => data.document!.retainerId === id)
      .map(({ data }) => data.document!.issueDate);
  const refusalsReceived = (id: number) =>
    received('retainer.document_refused').filter(({ data }) => data.retainer!.id === id);

  const datesOf = async (id: number) =>
    (
      await service.database.query<{ date: string }>(
        'select issue_date::text as date from documents where retainer_id = $1 order by id',
        [id],
      )
    ).map(({ date }) => date);

  /** Asserts that each number of the invoices exists once, and that each is reported once. */
  async function expectWhole(): Promise<void> {
    const numbers = await service.database.query<{ number: number }>(
      `select number::int from documents where type = 'TAX_INVOICE' and company_id = ${OURS} order by number`,
      [entityId],
    );
    const upTo = Array.from({ length: numbers.length }, (_, at) => at + 1);
    expect(numbers.map(({ number }) => number)).toEqual(upTo);
    const told = await service.database.query<{ number: number }>(
      `select (body::jsonb #>> '{data,document,number}')::int as number from outbox_events
        where type = 'document.created' and company_id = ${OURS} order by 1`,
      [entityId],
    );
    expect(told.map(({ number }) => number)).toEqual(upTo);
  }

  it('that is due issues its document, and document.created has its id', async () => {
    const id = await create(today);
    await until('the event', () => datesReceived(id).length > 0);
    expect(datesReceived(id)).toEqual([today]);
    expect(await rowOf(id)).toMatchObject({ lastDocument: { issueDate: today }, refusal: null });
  });

  it('that missed three months issues the documents in order, each with its own date', async () => {
    const first = occurrence(today, 'WEEKLY', -13);
    const id = await create(first);
    const all = [0, 1, 2, 3].map((at) => occurrence(first, 'MONTHLY', at));
    const dates = all.filter((date) => date <= today);
    expect(dates.length).toBeGreaterThanOrEqual(3);
    await until('every event', () => datesReceived(id).length >= dates.length);
    expect(datesReceived(id).sort()).toEqual(dates);
    expect(await datesOf(id)).toEqual(dates);
    expect((await rowOf(id))?.nextRunDate).toBe(occurrence(first, 'MONTHLY', dates.length));
    await expectWhole();
  });

  it('that is refused is reported once and shown, does not delay others, and succeeds later', async () => {
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    service.worker.pause();
    await ok('PUT', '/company', { defaultVatRate: 0 });
    const before = await create(yesterday, [ITEM], 'YEARLY');
    const refused = await create(yesterday, NEARLY_TOO_MUCH, 'YEARLY');
    const after = await create(yesterday, [ITEM], 'YEARLY');
    await ok('PUT', '/company', { defaultVatRate: 18 });
    service.worker.resume();
    await until('the others', () => [before, after].every((id) => datesReceived(id).length === 1));
    const row = await until('the third attempt', async () => {
      const found = await rowOf(refused);
      return (found?.refusal?.attempts ?? 0) >= 3 && found;
    });
    expect(row).toMatchObject({
      nextRunDate: yesterday,
      refusal: { runDate: yesterday, code: 'VALIDATION_FAILED' },
    });
    await until('the event', () => refusalsReceived(refused).length > 0);
    await ok('PUT', '/company', { defaultVatRate: 0 });
    await until('the document', () => datesReceived(refused).length > 0, 20_000);
    await ok('PUT', '/company', { defaultVatRate: 18 });
    expect(datesReceived(refused)).toEqual([yesterday]);
    expect(refusalsReceived(refused)).toMatchObject([
      { data: { runDate: yesterday, code: 'VALIDATION_FAILED' } },
    ]);
    expect(await rowOf(refused)).toMatchObject({ refusal: null, lastDocument: { issueDate: yesterday } });
    await expectWhole();
  });

  it('that was ended issues nothing, although it was due', async () => {
    service.worker.pause();
    const ended = await create(today);
    await ok('DELETE', `/retainers/${ended}`);
    const other = await create(today);
    service.worker.resume();
    await until('the other', () => datesReceived(other).length > 0);
    expect(await datesOf(ended)).toEqual([]);
  });

  describe('a retainer whose worker is killed', () => {
    async function killedAt(point: string): Promise<number> {
      await service.worker.kill('SIGKILL');
      const doomed = await service.startWorkerProcess({ FAULT_POINT: point });
      const id = await create(today);
      expect(await doomed.ended).toBe('SIGKILL');
      return id;
    }
    async function expectOnce(id: number, limitMs: number): Promise<void> {
      await until('the event', () => datesReceived(id).length > 0, limitMs);
      expect(await datesOf(id)).toEqual([today]);
      expect((await rowOf(id))?.nextRunDate).toBe(occurrence(today, 'MONTHLY', 1));
      await expectWhole();
    }

    it.each(POINTS)('at %s issues its document once, without a gap', async (point) => {
      const id = await killedAt(point);
      // Replaces waiting for the end of the dead worker's job lock.
      await loseQueue(store, service);
      await service.replaceWorker();
      await expectOnce(id, 10_000);
    });

    it('is started by another worker within 30 seconds, without losing anything', async () => {
      const id = await killedAt('issuance.written');
      await service.replaceWorker();
      await expectOnce(id, 30_000);
    });
  });

  describe('a retainer of another company than one with ten years to catch up', () => {
    let key: string;
    let companyId: number;
    let late: number[] = [];

    beforeAll(async () => {
      const made = await service.createCompany('Late');
      ({ ownerKey: key, companyId } = made);
      const client = { name: 'Acme', taxId: '199999996', type: 'COMPANY' };
      const { clientId } = await theirs<{ clientId: number }>('POST', '/clients/create', client);
      const terms = { entityId: clientId, items: [ITEM], interval: 'MONTHLY', documentType: 'TAX_INVOICE' };
      const body = { ...terms, nextRunDate: occurrence(today, 'YEARLY', -10) };
      for (let n = 0; n < TEN_YEARS_LATE; n++) {
        late.push((await theirs<{ retainerId: number }>('POST', '/retainers/create', body)).retainerId);
      }
    });
    afterAll(() => endAll());

    async function theirs<Answer>(method: string, path: string, sent?: unknown): Promise<Answer> {
      const { status, body } = await service.request<Answer>(method, path, sent, key);
      expect({ path, status: status < 300 ? 'ok' : body }).toEqual({ path, status: 'ok' });
      return body;
    }
    async function endAll(): Promise<void> {
      const ids = late;
      late = [];
      for (const id of ids) await theirs('DELETE', `/retainers/${id}`);
    }
    const count = async (from: string) => {
      const [row] = await service.database.query<{ count: number }>(
        `select count(*)::int as count from ${from} and company_id = $1`,
        [companyId],
      );
      return row!.count;
    };
    const stillDue = () => count('schedules where ended_at is null and next_run_date <= current_date');
    const issued = () => count('documents where retainer_id is not null');

    it('is issued within 10 seconds meanwhile', async () => {
      await sleep(1_000);
      const before = await issued();
      const id = await create(today);
      await until('its document', async () => (await datesOf(id)).length > 0, 10_000);
      expect(await datesOf(id)).toEqual([today]);
      expect(await stillDue()).toBeGreaterThan(0);
      await until('more of theirs', async () => (await issued()) > before);
    });

    it('is issued although its worker stops in the middle, and another continues', async () => {
      expect(await stillDue()).toBeGreaterThan(0);
      const began = performance.now();
      expect(await service.worker.kill('SIGTERM')).toBe(0);
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(await stillDue()).toBeGreaterThan(0);
      const before = await issued();
      await service.replaceWorker();
      await until('the other to go on', async () => (await issued()) > before);
      await endAll();
      const numbers = await service.database.query<{ number: number }>(
        'select number::int from documents where company_id = $1 order by number',
        [companyId],
      );
      expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, at) => at + 1));
      const runs = await service.database.query<{ count: number }>(
        `select count(*)::int as count from documents d
           join scheduled_runs r on r.schedule_id = d.retainer_id and r.run_date = d.issue_date
          where d.company_id = $1`,
        [companyId],
      );
      expect(runs).toEqual([{ count: numbers.length }]);
      await expectWhole();
    });
  });
});
