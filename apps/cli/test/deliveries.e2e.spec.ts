import {
  DEMO_KEY,
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { CliHome } from './cli-process';

interface Delivery {
  readonly id: number;
  readonly endpointId: string;
  readonly state: string;
}

/** Each look at the deliveries starts a process. */
const LIMIT_MS = 60_000;

let service: TestService;
let receiver: EventReceiver;
let endpoint: string;
let delivery: Delivery;
const home = new CliHome();

beforeAll(async () => {
  receiver = await startEventReceiver();
  receiver.answerWith((_, response) => void response.writeHead(500).end('not \u001b[2Jnow'));
  service = await startService(queueStores()[0]!, {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  home.use(service.url, DEMO_KEY);
  const add = async (url: string) =>
    (await service.request<{ id: string }>('POST', '/webhooks', { url, events: ['document.created'] })).body
      .id;
  await add('https://unused.example.com/hook');
  endpoint = await add(receiver.url);
  await service.request('POST', `/webhooks/${endpoint}/test`, { type: 'document.created' });
  delivery = await until(
    'a failed attempt',
    async () => {
      const rows = await home.json<Delivery>('deliveries', 'list', '--state', 'waiting');
      return rows[0];
    },
    LIMIT_MS,
  );
}, 2 * LIMIT_MS);
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  home.remove();
});

describe('counterfoil deliveries', () => {
  it('lists those of all endpoints, or of one, by state and event', async () => {
    const ids = async (...args: string[]) =>
      (await home.json<Delivery>('deliveries', 'list', ...args)).map(({ id }) => id);
    expect(delivery).toMatchObject({ endpointId: endpoint, state: 'waiting' });
    expect(await ids()).toEqual([delivery.id]);
    expect(await ids('--endpoint', endpoint, '--event', 'document.created')).toEqual([delivery.id]);
    expect(await ids('--state', 'dropped')).toEqual([]);
    expect((await home.run(['deliveries', 'list'])).stdout).toMatch(
      /^ *ID +EVENT.+\n.*document\.created +waiting .+ 500 /,
    );
  });

  it('shows the attempts and the body that is sent, without what would control the terminal', async () => {
    const [found] = await home.json<{ body: string }>('deliveries', 'show', String(delivery.id));
    expect(found?.body).toBe(receiver.received[0]?.body);
    const { stdout } = await home.run(['deliveries', 'show', String(delivery.id)]);
    expect(stdout).toContain(found!.body);
    expect(stdout).toContain('not \ufffd[2Jnow');
    expect(stdout).not.toContain('\u001b');
  });

  it('sends one again, under the same event id', async () => {
    receiver.answerWith((_, response) => void response.writeHead(204).end());
    const before = receiver.received.length;
    const replayed = await home.run(['deliveries', 'replay', String(delivery.id)]);
    expect(replayed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`Delivery ${delivery.id}`),
    });
    await until('its arrival', () => receiver.received.length > before, LIMIT_MS);
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
  });

  it('exits with 1 for one that is missing, and with 2 for one that is no number', async () => {
    expect(await home.run(['deliveries', 'show', '999'])).toMatchObject({ exitCode: 1 });
    expect(await home.run(['deliveries', 'replay', '999'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await home.run(['deliveries', 'replay', 'all'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await home.run(['deliveries', 'list', '--endpoint', 'unknown'])).toMatchObject({ exitCode: 1 });
  });
});
