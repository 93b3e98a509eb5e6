import fs from 'node:fs';
import path from 'node:path';
import {
  type EventReceiver,
  freePorts,
  queueStores,
  startEventReceiver,
  startProcesses,
  startTcpProxy,
  type TcpProxy,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';

/** A failed sweep runs again after a second, and its connection may take as long. */
const RECOVERED_WITHIN_MS = 10_000;

const EVENTS = 20;

describe('the management ports of API and worker', () => {
  let receiver: EventReceiver;
  let service: ServiceProcesses;
  let database: TcpProxy;
  let url: string;
  let apiUrl: string;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    const [port, apiPort] = await freePorts(2);
    url = `http://127.0.0.1:${port}`;
    apiUrl = `http://127.0.0.1:${apiPort}`;
    service = await startProcesses(
      queueStores()[0]!,
      {
        METRICS_PORT: String(apiPort),
        WORKER_METRICS_PORT: String(port),
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
        NODE_EXTRA_CA_CERTS: receiver.certificateFile,
      },
      async (databaseUrl) => (database = await startTcpProxy(databaseUrl)).url,
    );
  });
  afterAll(async () => {
    await service?.stop();
    await database?.close();
    await receiver?.close();
  });

  const probe = async (path: string) => {
    const answer = await fetch(url + path);
    return {
      status: answer.status,
      body: (await answer.json()) as { readonly failures?: readonly string[] },
    };
  };

  it('says that the worker lives and is ready (contract §17.5)', async () => {
    const ok = { status: 200, body: { status: 'ok' } };
    expect(await probe('/health/live')).toEqual(ok);
    expect(await probe('/health/ready')).toEqual(ok);
  });

  it('names the work that fails without the database, until it succeeds again', async () => {
    await database.cut();
    const isNamed = async () => {
      const { status, body } = await probe('/health/ready');
      return status === 503 && body.failures?.includes('recover deliveries');
    };
    await until('the failing sweep', isNamed, RECOVERED_WITHIN_MS);
    expect(await probe('/health/live')).toMatchObject({ status: 200 });
    await database.mend();
    const isReady = async () => (await probe('/health/ready')).status === 200;
    await until('readiness', isReady, RECOVERED_WITHIN_MS);
  });

  /** The value of each series, such as `counterfoil_backlog{work="events"}`. */
  const metricsOf = async (process: string): Promise<ReadonlyMap<string, number>> => {
    const text = await (await fetch(`${process}/metrics`)).text();
    const lines = text.matchAll(/^(counterfoil_\S+) (\S+)$/gm);
    return new Map([...lines].map(([, series, value]) => [series!, Number(value)]));
  };
  const WORK = [
    'events',
    'deliveries',
    'allocation_numbers',
    'provider_requests',
    'readings',
    'schedules',
    'audit_entries',
  ];

  it('measure the backlog of each kind of work', async () => {
    const backlog = async () => {
      const metrics = await metricsOf(url);
      return WORK.map((work) => metrics.get(`counterfoil_backlog{work="${work}"}`));
    };
    await until('an empty backlog', async () => (await backlog()).every((waiting) => waiting === 0));
    receiver.answerWith(() => undefined);
    const endpoint = { url: receiver.url, events: ['*'] };
    const { body } = await service.request<{ id: string }>('POST', '/webhooks', endpoint);
    const sendEvent = () => service.request('POST', `/webhooks/${body.id}/test`);
    for (let sent = 0; sent < EVENTS; sent++) expect(await sendEvent()).toMatchObject({ status: 200 });
    const oldest = async () =>
      (await metricsOf(url)).get('counterfoil_backlog_oldest_seconds{work="deliveries"}')!;
    await until('a growing age', async () => (await oldest()) > 1);
    expect((await backlog())[1]).toBeGreaterThan(0);
    await service.request('POST', `/webhooks/${body.id}/pause`);
    expect((await metricsOf(url)).get('counterfoil_webhook_endpoints{state="paused"}')).toBe(1);
    expect((await backlog())[1]).toBe(0);
  });

  it('count why the API answered 503, and the lost connections', async () => {
    const UNAVAILABLE = 'counterfoil_unavailable_total{reason="database"}';
    const LOST = 'counterfoil_database_connections_lost_total';
    const before = await metricsOf(apiUrl);
    await database.cut();
    expect(await service.request('GET', '/vendors')).toMatchObject({ status: 503 });
    const during = await metricsOf(apiUrl);
    await database.mend();
    expect(during.get(UNAVAILABLE)).toBe((before.get(UNAVAILABLE) ?? 0) + 1);
    expect(during.get(LOST)).toBeGreaterThan(before.get(LOST)!);
    const isBack = async () => (await service.request('GET', '/vendors')).status === 200;
    await until('the return of the database', isBack, RECOVERED_WITHIN_MS);
    const after = await metricsOf(apiUrl);
    const connections = (state: string) => after.get(`counterfoil_database_connections{state="${state}"}`)!;
    expect(connections('used') + connections('idle')).toBeGreaterThan(0);
    expect(after.get('counterfoil_database_waiting')).toBe(0);
    expect(after.get('counterfoil_data_dir_free_bytes')).toBeGreaterThan(0);
  });

  it('count the errors that PostgreSQL answers', async () => {
    const TERMINATED = 'counterfoil_database_errors_total{sqlstate="57P01"}';
    const endConnections = () =>
      service.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
    const isCounted = async (process: string) => ((await metricsOf(process)).get(TERMINATED) ?? 0) > 0;
    // Repeated, because a process may have had no connection at the moment.
    await until('the errors of both processes', async () => {
      await endConnections();
      return (await isCounted(url)) && (await isCounted(apiUrl));
    });
  });

  it('name every metric of their documentation, and no other', async () => {
    const names = new Set<string>();
    for (const process of [url, apiUrl]) {
      const text = await (await fetch(`${process}/metrics`)).text();
      for (const [, name] of text.matchAll(/^# TYPE (counterfoil_\w+) /gm)) names.add(name!);
    }
    const page = fs.readFileSync(path.join(__dirname, '../../../docs/operations.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(counterfoil_\w+)`/gm)].map(([, name]) => name!);
    expect([...names].toSorted()).toEqual(documented.toSorted());
  });
});
