import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { until } from '@counterfoil/test-harness';
import Fastify from 'fastify';
import { BodyBudget, gateBodies } from './body-gate';
import { boundConnections, Connections } from './connections';
import type { AuthenticatedRequest } from './route.decorators';

const CONNECTIONS_MAX = 3;
const ROOM = 100;
const COMPANY = 1;
/** Takes the half of the room that one company may have. */
const HEAD = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${ROOM / 2}\r\n\r\n`;

it('keeps the connection of a request that waits for room, and closes one that waits for its caller', async () => {
  const server = Fastify({ forceCloseConnections: true });
  const connections = new Connections(CONNECTIONS_MAX);
  const budget = new BodyBudget({ bytesMax: ROOM, waitMaxMs: 10_000 });
  let arrived = 0;
  server.addHook('onRequest', (request: AuthenticatedRequest, _reply, done) => {
    connections.begin(request.raw.socket);
    request.caller = { companyId: COMPANY, userId: 1, apiKeyId: 1, role: 'owner' };
    arrived += 1;
    done();
  });
  gateBodies(server, connections, budget);
  boundConnections(server, connections);
  server.post('/', () => ({}));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  const open = async (
    text: string,
  ): Promise<{ readonly socket: Socket; readonly received: () => string }> => {
    let received = '';
    const accepted = once(server.server, 'connection');
    const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    await accepted;
    socket.write(text);
    return { socket, received: () => received };
  };
  try {
    const room = budget.tryTake(COMPANY, ROOM / 2);
    const waits = await open(`${HEAD}{}`.padEnd(HEAD.length + ROOM / 2));
    await until('the request to wait', () => arrived === 1);
    const idle = [];
    while (sockets.length < CONNECTIONS_MAX) idle.push(await open(''));
    for (const each of idle) {
      await open('');
      await until('an idle connection to be closed', () => each.socket.closed);
    }
    expect(waits.socket.closed).toBe(false);
    room?.release();
    await until('the answer', () => waits.received().startsWith('HTTP/1.1 200 '));
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.close();
  }
});
