import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';

const CLIENT = { name: 'Blue Lantern Books', taxId: '514000017', type: 'COMPANY' };
/** A page of 3 MB, in which each of these letters takes five bytes. The operating system takes a few of them for each connection. */
const ITEMS = Array.from({ length: 1_000 }, () => ({
  description: "'".repeat(500),
  quantity: 1,
  unitPrice: 1,
}));
/** One company may have 32 answers under way, and a connection has one. */
const CONNECTIONS = 40;

const HELD_MS = 1_000;

const [store] = queueStores();
let service: TestService;
const sockets: net.Socket[] = [];

beforeAll(async () => {
  service = await startService(store!, { RATE_LIMIT_SHARED_PAGES: '100000/1m' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => service?.stop());

/** Returns the link to a document of a company. */
async function linkOf(key: string, items: readonly object[]): Promise<string> {
  const send = async <T>(path: string, body: object) =>
    (await service.request<T>('POST', path, body, key)).body;
  const { clientId } = await send<{ clientId: number }>('/clients/create', CLIENT);
  const { id } = await send<{ id: number }>('/documents/create/quote', { entityId: clientId, items });
  return (await send<{ url: string }>(`/documents/id/${id}/share`, {})).url;
}

/** Reads the whole answer, so that it holds no slot. */
async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

/** Opens connections that read the beginning of the first answer, and no more. */
function openSlowReaders(url: string): void {
  const { hostname, port } = new URL(url);
  for (let count = 0; count < CONNECTIONS; count++) {
    const socket = net.connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.pause());
  }
}

it('readers that stop reading hold no slot of others, and lose theirs', async () => {
  const slow = await service.createCompany('Slow');
  const other = await service.createCompany('Other');
  const url = await linkOf(slow.ownerKey, ITEMS);
  const others = await linkOf(other.ownerKey, ITEMS.slice(0, 1));
  expect(await statusOf(url)).toBe(200);
  openSlowReaders(url);
  const request = `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`;
  // The operating system takes the first answers of each connection. Each later answer holds its slot.
  await until(
    'its slots to be taken, and not only while the answers are made',
    async () => {
      for (const socket of sockets) socket.write(request);
      await sleep(HELD_MS);
      return (await statusOf(url)) === 503;
    },
    60_000,
  );
  expect(await statusOf(others)).toBe(200);
  expect(await statusOf(`${others}/pdf`)).toBe(200);
  await until('the slots to return', async () => (await statusOf(url)) === 200, 120_000);
}, 300_000);
