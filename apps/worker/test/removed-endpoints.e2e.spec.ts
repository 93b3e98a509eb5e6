import {
  type EventSink,
  oneQueueStore,
  startEventSink,
  startProcesses,
  type ServiceProcesses,
  startTcpProxy,
  type TcpProxy,
  until,
} from '@counterfoil/test-harness';
import { setTimeout as sleep } from 'node:timers/promises';

/** In each direction, so that a TLS handshake takes more than a second. */
const DELAY_MS = 600;
/** Longer than a request is under way. */
const QUIET_MS = 4_000;

describe.each(oneQueueStore())(
  'an endpoint whose handshake takes a second, with the $kind queue',
  (store) => {
    let service: ServiceProcesses;
    let sink: EventSink;
    let wire: TcpProxy;

    beforeAll(async () => {
      sink = await startEventSink();
      wire = await startTcpProxy(sink.urlOf('/'));
      wire.delay(DELAY_MS);
      service = await startProcesses(store, {
        NODE_EXTRA_CA_CERTS: sink.certificateFile,
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
      });
    });
    afterAll(async () => {
      await service?.stop();
      await wire?.close();
      await sink?.close();
    });

    /** Returns an endpoint to which a worker is connecting, and the path of its requests. */
    async function connecting(name: string) {
      const path = `/${name}`;
      const { body } = await service.request<{ id: string }>('POST', '/webhooks', {
        url: new URL(path, wire.url).href,
        events: ['*'],
      });
      expect(await service.request('POST', `/webhooks/${body.id}/test`)).toMatchObject({ status: 200 });
      const claimed = `select from webhook_deliveries where endpoint_id = $1 and lease_token is not null`;
      await until('the claim', async () => (await service.database.query(claimed, [body.id])).length > 0);
      return { id: body.id, path };
    }
    const requestsTo = async (path: string) => (await sink.state()).paths[path]?.requests ?? 0;

    it('is sent nothing after the answer to its removal (contract §15.1)', async () => {
      const { id, path } = await connecting('removed');
      expect(await service.request('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 200 });
      const before = await requestsTo(path);
      await sleep(QUIET_MS);
      expect([before, await requestsTo(path)]).toEqual([0, 0]);
    });

    it('is sent nothing after the answer to a pause, and everything after it was resumed', async () => {
      const { id, path } = await connecting('paused');
      expect(await service.request('POST', `/webhooks/${id}/pause`)).toMatchObject({ status: 200 });
      await sleep(QUIET_MS);
      expect(await requestsTo(path)).toBe(0);
      expect(await service.request('POST', `/webhooks/${id}/resume`)).toMatchObject({ status: 200 });
      await until('the event', async () => (await requestsTo(path)) === 1);
    });
  },
);
