import { execFileSync } from 'node:child_process';
import path from 'node:path';
import {
  type ApiServiceProcess,
  type EventReceiver,
  queueStores,
  startApiServiceProcess,
  startEventReceiver,
  startProcesses,
  startTraceCollector,
  type ServiceProcesses,
  type TestService,
  type TraceCollector,
  until,
} from '@counterfoil/test-harness';

const ROOT = path.resolve(__dirname, '../../..');
const LOST = 'spans cannot be exported; they are lost';
const AGAIN = 'spans are exported again';

const linesWith = (log: string, text: string) => log.split('\n').filter((line) => line.includes(text));
const listClients = (service: TestService) => service.request('GET', '/clients');
const createClient = (service: TestService) => {
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  return service.request<{ clientId: number }>('POST', '/clients/create', client);
};

describe('without an endpoint', () => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let collector: TraceCollector;

  beforeAll(async () => {
    [receiver, collector] = await Promise.all([startEventReceiver(), startTraceCollector()]);
    service = await startProcesses(queueStores()[0]!, {
      ...receiver.settings,
      ...collector.settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_TRACES_SAMPLER: 'always_on',
    });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await collector?.close();
  });

  it('nothing is traced, stored, logged or sent, not even for a caller with a trace', async () => {
    const { clientId: entityId } = (await createClient(service)).body;
    await service.request('POST', '/webhooks', { url: receiver.url, events: ['document.created'] });
    const answer = await fetch(`${service.url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_demo_owner',
        'content-type': 'application/json',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
      body: JSON.stringify({ entityId, items: [{ description: 'x', quantity: 1, unitPrice: 1 }] }),
    });
    expect(answer.status).toBe(201);
    const [event] = await until('the delivery', () => receiver.received.length > 0 && receiver.received);
    expect(Object.keys(event!.headers)).not.toEqual(expect.arrayContaining(['traceparent']));
    expect(await service.database.query('select trace from outbox_events where trace is not null')).toEqual(
      [],
    );
    expect(service.api.log + service.worker.log).not.toContain('traceId');
    expect(collector.exports).toEqual([]);
  });

  it.each(['api/src/create-app.js', 'worker/src/worker.module.js'])('%s loads no SDK', (file) => {
    const script = `require(${JSON.stringify(path.join(ROOT, 'dist/apps', file))});
      console.log(Object.keys(require.cache).filter((name) => /@opentelemetry.(?!api.)/.test(name)).length)`;
    const loaded = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
    expect(loaded.trim()).toBe('0');
  });
});

describe('with a collector that', () => {
  let service: ApiServiceProcess;
  let collector: TraceCollector;

  beforeAll(async () => {
    collector = await startTraceCollector();
    service = await startApiServiceProcess(collector.settings);
  });
  afterAll(async () => {
    await service?.stop();
    await collector?.close();
  });

  it('refuses, calls are answered, and the log has a line for the beginning and the end', async () => {
    collector.beInMood('refuse');
    for (let batch = 1; batch <= 3; batch++) {
      expect((await listClients(service)).status).toBe(200);
      await until('the refused batch', () => collector.exports.length >= batch);
    }
    await until('the line', () => service.api.log.includes(LOST));
    collector.beInMood('accept');
    expect((await listClients(service)).status).toBe(200);
    await until('the spans', () => collector.spans.length > 0);
    await until('the line', () => service.api.log.includes(AGAIN));
    expect(linesWith(service.api.log, LOST)).toHaveLength(1);
    expect(linesWith(service.api.log, AGAIN)).toHaveLength(1);
  });

  it('works, gets the last spans before the process ends', async () => {
    const headers = { authorization: 'Bearer sk_test_demo_owner', 'x-request-id': 'the-last' };
    expect((await fetch(`${service.url}/clients`, { headers })).status).toBe(200);
    expect(await service.api.kill('SIGTERM')).toBe(0);
    const ids = collector.spans.map(({ attributes }) => attributes['counterfoil.request_id']);
    expect(ids).toContain('the-last');
  });

  it('hangs, calls are answered, and the process stops in time', async () => {
    await service.replaceApi();
    collector.beInMood('hang');
    const exports = collector.exports.length;
    expect((await listClients(service)).status).toBe(200);
    await until('the export', () => collector.exports.length > exports);
    expect((await listClients(service)).status).toBe(200);
    expect(await service.api.kill('SIGTERM')).toBe(0);
    expect(service.api.log).toContain('the last spans could not be exported');
  });
});
