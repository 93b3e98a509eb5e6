import type http from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Watches the connections that the agents keep unused.
 *
 * Bytes on one would be read as the answer to the next request: it is dropped instead. And the agents count by
 * origin only, while a customer may name thousands of hosts: beyond `max` together the longest unused is dropped.
 * The agents' own limit of all connections would make requests to other origins wait instead.
 */
export function watchIdleConnections(agents: readonly http.Agent[], max: number): void {
  const idle = new Set<Duplex>();
  function drop(this: Duplex): void {
    this.destroy();
  }
  function forget(this: Duplex): void {
    idle.delete(this);
  }
  for (const agent of agents) {
    const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)];
    agent.keepSocketAlive = (socket) => {
      // Node passes the answer of its own method on, though its types do not declare it.
      const kept: unknown = keep(socket);
      if (kept === false) return kept;
      idle.add(socket.on('data', drop).on('close', forget));
      dropLongestUnused(idle, max);
      return kept;
    };
    agent.reuseSocket = (socket, request) => {
      idle.delete(socket.off('data', drop).off('close', forget));
      reuse(socket, request);
    };
  }
}

function dropLongestUnused(idle: Set<Duplex>, max: number): void {
  for (const socket of idle) {
    if (idle.size <= max) return;
    idle.delete(socket);
    // The agent may not have noticed when it looks for a connection next: it skips destroyed ones at the head of its
    // list, where the longest unused of an origin is.
    socket.destroy();
  }
}
