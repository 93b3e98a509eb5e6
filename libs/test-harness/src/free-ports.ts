import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * Below the range of ephemeral ports, and different ones for each process of Jest, so that a port stays free until the
 * test uses it.
 */
const PORTS = { first: 15_000, each: 1_500, processes: 10 };
const jestProcess = Number(process.env['JEST_WORKER_ID'] ?? 0) % PORTS.processes;
const FIRST = PORTS.first + jestProcess * PORTS.each;

/** Returns different ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      for (;;) {
        const server = createServer().listen(FIRST + randomInt(PORTS.each), '127.0.0.1');
        const isFree = await once(server, 'listening').then(
          () => true,
          () => false,
        );
        if (isFree) return server;
      }
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
