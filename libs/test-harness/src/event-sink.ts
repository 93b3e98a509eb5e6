import type { IncomingHttpHeaders } from 'node:http';
import { selfSigned, type SelfSigned } from './self-signed';
import { SideProcess } from './side-process';

/**
 * How an endpoint treats a request. `fail` answers 500, or 200 but to every n-th request; `slow` answers 200 after a
 * while; `hang` never answers; `drip` answers 200 and a byte of a body each 500 ms for ever, `slow-head` a byte of a
 * head; `flood` 200 and 1 GiB, as fast as it is taken; `reset` breaks the connection with RST.
 */
export type Mood =
  | { readonly kind: 'ok' | 'hang' | 'drip' | 'slow-head' | 'flood' | 'reset' }
  | { readonly kind: 'fail'; readonly every?: number }
  | { readonly kind: 'slow'; readonly afterMs: number };

/** A request that has ended: answered, or its connection broken. Times are epoch ms with fractions, of its clock. */
export interface SinkExchange {
  readonly path: string;
  /** The header `service-event-id`; empty where there was none. */
  readonly eventId: string;
  /** When the first byte was there; as near as the head that it belongs to was read. */
  readonly at: number;
  /** When the answer was handed over whole, or the connection gone. */
  readonly endedAt: number;
  /** What was answered; null where no status line was sent. */
  readonly status: number | null;
  /** Whether the answer was sent to its end. */
  readonly complete: boolean;
  /** Only where content is kept. */
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

export interface EndpointTally {
  readonly requests: number;
  readonly inFlight: number;
  readonly maxInFlight: number;
}

export interface SinkState {
  /** TCP connections accepted since the start, and open now. */
  readonly connections: number;
  readonly open: number;
  /** By path; none for an endpoint that was never called. */
  readonly paths: Readonly<Record<string, EndpointTally>>;
}

/** Many HTTPS endpoints on this machine, in a process of their own, told apart by their paths. */
export interface EventSink {
  readonly port: number;
  /** The certificate that a sender must trust: for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  /** For other receivers of the same sender. */
  readonly certificate: SelfSigned;
  /** @param path with its leading slash */
  urlOf(path: string): string;
  /** From the next request on; an endpoint is `ok` until it is told otherwise. */
  setMood(path: string, mood: Mood): Promise<void>;
  /** The requests that have ended since they were last taken, in the order in which they ended. */
  take(): Promise<SinkExchange[]>;
  state(): Promise<SinkState>;
  /** Breaks every connection. */
  close(): Promise<void>;
}

/** @param content whether headers and body of each request are kept, too */
export async function startEventSink({ content = false } = {}): Promise<EventSink> {
  const certificate = await selfSigned();
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

/** In batches, so that none is a message which either side would stop for. */
async function takeAll(side: SideProcess): Promise<SinkExchange[]> {
  const taken: SinkExchange[] = [];
  for (;;) {
    const { batch, more } = await side.call<{ batch: SinkExchange[]; more: boolean }>('take');
    taken.push(...batch);
    if (!more) return taken;
  }
}
