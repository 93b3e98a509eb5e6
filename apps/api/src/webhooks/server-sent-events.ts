import { Readable } from 'node:stream';
import type { StreamClient, StreamedDelivery } from '@counterfoil/webhooks';

/** Bytes that wait to be read by the client before events wait in the database instead. */
const BUFFER_BYTES = 256 * 1024;
/** The time after which clients that follow the standard reconnect. */
const RECONNECT_MS = 1_000;

/** An event stream as the body of an answer: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export class ServerSentEvents extends Readable implements StreamClient {
  private isEnded = false;
  private isFull = false;

  constructor() {
    super({ highWaterMark: BUFFER_BYTES });
  }

  /** Nothing to do: events are pushed when they happen. */
  override _read(): void {
    return;
  }

  /** Once full, it has room again when half of it was read. Otherwise each event would need a read of its own. */
  hasRoom(): boolean {
    this.isFull = this.readableLength >= (this.isFull ? BUFFER_BYTES / 2 : BUFFER_BYTES);
    return !this.isFull;
  }

  open(start: { readonly secret: string; readonly cursor: string }): void {
    this.write(`retry: ${RECONNECT_MS}\n${message('open', start.cursor, start)}`);
  }

  deliver({ cursor, headers, body }: StreamedDelivery): void {
    this.write(message('delivery', cursor, { headers, body }));
  }

  /** An id without data is no event for the client, but renews its last event id. */
  beat(cursor: string): void {
    this.write(`: heartbeat\nid: ${cursor}\n\n`);
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.push(null);
  }

  private write(text: string): void {
    if (!this.isEnded && !this.destroyed) this.push(text);
  }
}

const message = (event: string, id: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
