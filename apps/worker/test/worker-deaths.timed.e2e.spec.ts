import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';

const TAKEN_OVER_WITHIN_MS = 3_000;
const EVENTS_PER_SECOND = 40;
const KILLED_AFTER_MS = 2_000;
const LOAD_MS = 5_000;

describe.each(queueStores())('with the $kind queue, of several workers', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let entityId: number;

  beforeEach(async () => {
    receiver = await startEventReceiver();
    service = await startProcesses(store, {
      ...receiver.settings,
    });
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
    await service.request('POST', '/webhooks', { url: receiver.url, events: ['document.created'] });
  });
  afterEach(async () => {
    await service?.stop();
    await receiver?.close();
  });

  const issue = async (): Promise<string> => {
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const { status, body } = await service.request<{ visibleId: string }>(
      'POST',
      '/documents/create/tax-invoice',
      { entityId, items },
    );
    expect(status).toBe(201);
    return body.visibleId;
  };
  const arrivalsOf = (visibleId: string) => receiver.received.filter(({ body }) => body.includes(visibleId));
  const issueAndReceive = async (): Promise<string> => {
    const visibleId = await issue();
    await until('the attempt', () => arrivalsOf(visibleId).length === 1);
    return visibleId;
  };

  it('one soon takes over the deliveries of the other when it was killed', async () => {
    receiver.answerWith(() => undefined);
    const visibleId = await issueAndReceive();
    await service.startWorkerProcess();
    // Each worker must have seen the other.
    await sleep(1_000);
    receiver.answerWith((_, response) => response.end('ok'));
    const killedAt = Date.now();
    await service.worker.kill('SIGKILL');
    await until('another attempt', () => arrivalsOf(visibleId).length === 2, 20_000);
    expect(Date.now() - killedAt).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }, 60_000);

  it('the only one takes over the deliveries of the one that was killed before it started', async () => {
    receiver.answerWith(() => undefined);
    const visibleId = await issueAndReceive();
    receiver.answerWith((_, response) => response.end('ok'));
    await service.replaceWorker();
    const readyAt = Date.now();
    await until('another attempt', () => arrivalsOf(visibleId).length === 2, 20_000);
    expect(Date.now() - readyAt).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }, 60_000);

  it('one that starts does not take over the deliveries of one that runs', async () => {
    receiver.answerWith((_, response) => setTimeout(() => response.end('ok'), 5_000));
    const visibleId = await issueAndReceive();
    await service.startWorkerProcess();
    await until('the delivery', async () => {
      const [row] = await service.database.query<{ state: string }>('select state from webhook_deliveries');
      return row?.state === 'delivered';
    });
    expect(arrivalsOf(visibleId)).toHaveLength(1);
  }, 60_000);

  it('one that is suspended or disconnected is not treated as ended', async () => {
    receiver.answerWith((_, response) => setTimeout(() => response.end('ok'), 8_000));
    const visibleId = await issueAndReceive();
    await service.startWorkerProcess();
    await sleep(1_000);
    service.worker.pause();
    await sleep(2_500);
    service.worker.resume();
    await service.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'counterfoil-presence'
        and datname = current_database() order by backend_start limit 1`,
    );
    await sleep(2_500);
    await until('the delivery', async () => {
      const [row] = await service.database.query<{ state: string }>('select state from webhook_deliveries');
      return row?.state === 'delivered';
    });
    expect(arrivalsOf(visibleId)).toHaveLength(1);
  }, 60_000);

  it('every event arrives within three seconds although one is killed', async () => {
    await service.startWorkerProcess();
    const issued: { readonly visibleId: string; readonly at: number }[] = [];
    const started = Date.now();
    let killed: Promise<unknown> | undefined;
    while (Date.now() - started < LOAD_MS) {
      issued.push({ visibleId: await issue(), at: Date.now() });
      if (Date.now() - started > KILLED_AFTER_MS) killed ??= service.worker.kill('SIGKILL');
      await sleep(1_000 / EVENTS_PER_SECOND);
    }
    await killed;
    await until(
      'every event',
      () => issued.every(({ visibleId }) => arrivalsOf(visibleId).length > 0),
      30_000,
    );
    const delays = issued.map(({ visibleId, at }) => (arrivalsOf(visibleId)[0]?.at ?? Infinity) - at);
    expect(Math.max(...delays)).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }, 60_000);
});
