import net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Server } from 'node:http';

/** How much longer than it listens the process keeps connections on which nothing comes. */
const IDLE_AFTER_MS = 1_000;
/** Connections that the system has accepted for us are taken first; a stream of them is not waited out. */
const ACCEPT_MAX_MS = 200;

/**
 * The way to a stop that breaks no call. First the process says that it stops, by `/health/ready` and by
 * `Connection: close` in each answer, and works on as before: balancers leave it out, and callers go to another process
 * with their next call. Then it takes no new connections, and at last closes those on which nothing has come. A connection
 * that was closed at once would break a call that is on its way.
 */
@Injectable()
export class Drain {
  private begun = false;

  /** Whether callers are to go elsewhere. */
  get isUnderWay(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }

  /** @param delayMs how long new connections are taken; 0 closes all that are idle at once */
  async run(server: Server, delayMs: number): Promise<void> {
    this.begin();
    if (delayMs === 0) return;
    await sleep(delayMs);
    await acceptAll(server);
    // Of `http.Server`, it would close the idle connections as well.
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
