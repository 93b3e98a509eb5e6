import net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Server } from 'node:http';

/** How long idle connections stay open after the process has stopped listening. */
const IDLE_AFTER_MS = 1_000;
/** The time limit for accepting connections that wait in the backlog, because new ones may keep coming. */
const ACCEPT_MAX_MS = 200;

/**
 * Stops the process without breaking a request:
 *
 * 1. `/health/ready` fails and each answer has `Connection: close`, while the process works as before. Load balancers
 *    take it out, and callers send their next request to another process.
 * 2. It stops listening.
 * 3. After a second it closes idle connections. Closing them earlier would break requests that are on their way.
 */
@Injectable()
export class Drain {
  private begun = false;

  /** Whether the process is stopping and callers should use another one. */
  get isUnderWay(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }

  /** @param delayMs how long new connections are accepted; 0 skips all waiting, so that idle ones close at once */
  async run(server: Server, delayMs: number): Promise<void> {
    this.begin();
    if (delayMs === 0) return;
    await sleep(delayMs);
    await acceptAll(server);
    // The method of `http.Server` would also close idle connections.
    net.Server.prototype.close.call(server);
    await sleep(IDLE_AFTER_MS);
  }
}

/** Each turn of the event loop accepts one waiting connection. Closing the server would reset the others. */
async function acceptAll(server: Server): Promise<void> {
  const end = performance.now() + ACCEPT_MAX_MS;
  let came = true;
  const note = (): void => void (came = true);
  server.on('connection', note);
  while (came && performance.now() < end) {
    came = false;
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', note);
}
