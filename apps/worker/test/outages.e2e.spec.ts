import { once } from 'node:events';
import { connect } from 'node:net';
import {
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  startTcpProxy,
  type TcpProxy,
  type TestService,
  until,
} from '@counterfoil/test-harness';

interface Issued {
  readonly visibleId: string;
}

const invoice = (entityId: number) => ({
  entityId,
  items: [{ description: 'x', quantity: 1, unitPrice: 1 }],
});

async function refusesConnections(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
}

describe.each(queueStores())('with the $kind queue, while something is away,', (store) => {
  let service: TestService;
  let receiver: EventReceiver;
  let database: TcpProxy;
  let redis: TcpProxy | null = null;
  let entityId: number;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    redis = store.redisUrl === null ? null : await startTcpProxy(store.redisUrl);
    service = await startService(
      { ...store, redisUrl: redis?.url ?? null },
      {
        NODE_EXTRA_CA_CERTS: receiver.certificateFile,
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
        WEBHOOK_TIMEOUT: '1s',
        SCHEDULER_INTERVAL: '500ms',
      },
      async (databaseUrl) => {
        database = await startTcpProxy(databaseUrl);
        return database.url;
      },
    );
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
    await service.request('POST', '/webhooks', { url: receiver.url, events: ['*'] });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([receiver?.close(), database?.close(), redis?.close()]);
  });

  const issue = () => service.request<Issued>('POST', '/documents/create/tax-invoice', invoice(entityId));
  const arrived = (visibleId: string) => receiver.received.some(({ body }) => body.includes(visibleId));

  it('the API answers 503 without the database, with when to try again, and recovers by itself', async () => {
    await database.cut();
    const refused = await issue();
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await service.request('GET', '/health/ready')).toMatchObject({ status: 503 });
    expect(await service.request('GET', '/health/live')).toMatchObject({ status: 200 });

    await database.mend();
    const issued = await until('the API to issue again', async () => {
      const answer = await issue();
      return answer.status === 201 && answer.body;
    });
    await until('the event', () => arrived(issued.visibleId), 20_000);
  });

  if (store.kind === 'redis') {
    it('the API goes on issuing without Redis, at once, and every event arrives when Redis is back', async () => {
      await redis?.cut();
      const issued: string[] = [];
      for (let count = 0; count < 20; count++) {
        const started = Date.now();
        const { status, body } = await issue();
        expect(status).toBe(201);
        expect(Date.now() - started).toBeLessThan(1_000);
        issued.push(body.visibleId);
      }
      expect(await service.request('GET', '/health/ready')).toMatchObject({ status: 200 });
      await redis?.mend();
      await until('every event', () => issued.every(arrived), 30_000);
    });
  }

  it('a request under way is finished when the API is told to stop', async () => {
    const held = service.database.hold('select lock_documents(id) from companies');
    await held.ready;
    const answer = issue();
    await until('the request to wait for the documents of its company', async () => {
      const waiting = await service.database.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    });
    const stopped = service.api.kill('SIGTERM');
    await until('the API to take no new connection', () => refusesConnections(service.url));
    await held.release();
    expect((await answer).status).toBe(201);
    expect(await stopped).toBe(0);
  });
});
