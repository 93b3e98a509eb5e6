import type { IncomingHttpHeaders } from 'node:http';
import { type SelfSigned, trustedCertificate } from './self-signed';
import { SideProcess } from './side-process';

/**
 * The behaviour of an endpoint. `fail` answers 500, or 200 to each n-th request only; `slow` answers 200
 * after a delay; `hang` never answers; `drip` answers 200 and then a byte of the body each 500 ms, forever;
 * `slow-head` does so with a byte of the head; `flood` answers 200 and 1 GiB, as fast as the client reads;
 * `reset` resets the connection.
 */
export type Mood =
  | { readonly kind: 'ok' | 'hang' | 'drip' | 'slow-head' | 'flood' | 'reset' }
  | { readonly kind: 'fail'; readonly every?: number }
  | { readonly kind: 'slow'; readonly afterMs: number };

/**
 * A request that has ended with an answer or a broken connection. Times are epoch milliseconds with
 * fractions, on the sink's clock.
 */
export interface SinkExchange {
  readonly path: string;
  /** The header `service-event-id`; empty without it. */
  readonly eventId: string;
  /** The time of the first byte, approximated by the time at which the head was read. */
  readonly at: number;
  /** The time at which the answer was sent completely or the connection was lost. */
  readonly endedAt: number;
  /** Null if no status line was sent. */
  readonly status: number | null;
  /** Whether the answer was sent completely. */
  readonly complete: boolean;
  /** Only if content is kept. */
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

export interface EndpointTally {
  readonly requests: number;
  readonly inFlight: number;
  readonly maxInFlight: number;
}

export interface SinkState {
  /** The number of accepted TCP connections, and of those open now. */
  readonly connections: number;
  readonly open: number;
  /** By path. Endpoints that were never called are absent. */
  readonly paths: Readonly<Record<string, EndpointTally>>;
}

/** Many HTTPS endpoints on this machine, distinguished by path, in a separate process. */
export interface EventSink {
  readonly port: number;
  /** The certificate that senders must trust, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  /** For other receivers of the same sender. */
  readonly certificate: SelfSigned;
  /** @param path with its leading slash */
  urlOf(path: string): string;
  /** Takes effect from the next request on. The default mood is `ok`. */
  setMood(path: string, mood: Mood): Promise<void>;
  /** Returns the requests that have ended since the last call, in the order in which they ended. */
  take(): Promise<SinkExchange[]>;
  state(): Promise<SinkState>;
  /** Resets all connections. */
  close(): Promise<void>;
}

/** @param content whether to keep the headers and body of each request */
export async function startEventSink({ content = false } = {}): Promise<EventSink> {
  const certificate = await trustedCertificate();
  const { cert, key, certificateFile } = certificate;
  const side = SideProcess.start('sink-process.mjs');
  const port = await side.call<number>('start', { cert, key, content });
  return {
    port,
    certificateFile,
    certificate,
    urlOf: (path) => `https://127.0.0.1:${port}${path}`,
    setMood: (path, mood) => side.call('setMood', path, mood),
    take: () => takeAll(side),
    state: () => side.call('state'),
    close: async () => {
      certificate.remove();
      await side.close();
    },
  };
}

/** Takes batches, so that no message is large enough to block either process. */
async function takeAll(side: SideProcess): Promise<SinkExchange[]> {
  const taken: SinkExchange[] = [];
  for (;;) {
    const { batch, more } = await side.call<{ batch: SinkExchange[]; more: boolean }>('take');
    taken.push(...batch);
    if (!more) return taken;
  }
}
