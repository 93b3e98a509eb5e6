import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A simple TCP load balancer: it distributes connections to processes in turn, regardless of their calls. */
export interface TcpBalancer {
  readonly port: number;
  close(): void;
}

/** @param ports returns the current ports of the processes; a process that refuses a connection is skipped */
export async function startTcpBalancer(ports: () => readonly number[]): Promise<TcpBalancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const reach = async (): Promise<Socket | null> => {
    const all = ports();
    const first = turn++;
    for (let place = 0; place < all.length; place++) {
      const far = connect(all[(first + place) % all.length] ?? 0, '127.0.0.1');
      const connected = await once(far, 'connect').then(
        () => true,
        () => false,
      );
      if (connected) return far;
    }
    return null;
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    open.add(near.on('error', () => near.destroy()));
    void reach().then((far) => {
      near.on('close', () => open.delete(near) && far?.destroy());
      if (!far || near.destroyed) {
        near.destroy();
        far?.destroy();
        return;
      }
      // A reset of the server is passed on as a reset.
      far.on('error', () => near.resetAndDestroy());
      far.setNoDelay().pipe(near.setNoDelay());
      near.pipe(far);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
