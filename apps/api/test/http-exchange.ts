import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_KEY } from '@counterfoil/test-harness';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method: string;
  /** The path exactly as sent, without encoding or resolving. */
  readonly path: string;
  /** A header with the value null is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer | undefined;
  /** Connections other than those that all calls share. */
  readonly agent?: http.Agent;
}

const TIMEOUT_MS = 10_000;
const shared = new http.Agent({ keepAlive: true });

/** Closes the connections that are kept open between requests. */
export function closeConnections(): void {
  shared.destroy();
}

/**
 * Sends a request exactly as given. Of a stream of events, which has no end, it returns the beginning. Other clients would resolve `%2e%2e` and refuse malformed requests. By
 * default it uses the demo owner's key, and JSON if there is a body.
 */
export function exchange(url: string, sent: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method, path, body, agent = shared } = sent;
  const asked = {
    authorization: `Bearer ${DEMO_KEY}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...sent.headers,
  };
  const headers = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers, agent, timeout: TIMEOUT_MS });
    request.on('timeout', () => request.destroy(new Error(`${method} ${path} was not answered`)));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const { statusCode: status = 0, headers: answered } = response;
      const finish = (): void =>
        resolve({ status, headers: answered, text: Buffer.concat(chunks).toString('utf8') });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!answered['content-type']?.startsWith('text/event-stream')) return;
        finish();
        request.destroy();
      });
      response.on('error', reject);
      response.on('end', finish);
    });
    request.end(body);
  });
}

interface RawOptions {
  /** Half-closes the connection after the last byte. */
  readonly thenEnd?: boolean;
  readonly pauseMs?: number;
  /** Breaks the connection after this time without waiting for an answer. */
  readonly hangUpAfterMs?: number;
}

/**
 * Writes any bytes to a socket, and reads only after all are written, like simple clients do. If the server
 * closes too early, the answer is lost.
 */
export async function exchangeBytes(
  url: string,
  pieces: readonly (string | Buffer)[],
  { thenEnd = false, pauseMs = 0, hangUpAfterMs }: RawOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.pause();
  const failure = new Promise<never>((_, reject) => {
    socket.on('error', reject);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the bytes were not answered')));
  });
  failure.catch(() => undefined);
  try {
    for (const piece of pieces) {
      await Promise.race([failure, new Promise<void>((resolve) => socket.write(piece, () => resolve()))]);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    if (thenEnd) socket.end();
    if (hangUpAfterMs !== undefined) {
      await sleep(hangUpAfterMs);
      socket.resetAndDestroy();
    }
    return await Promise.race([failure, readAnswer(socket)]);
  } finally {
    socket.destroy();
  }
}

async function readAnswer(socket: net.Socket): Promise<Answer> {
  let received = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.toString('latin1');
    const answer = parseAnswer(received);
    if (answer) return answer;
  }
  throw new Error(`the connection was closed without a whole answer, after: ${received}`);
}

function parseAnswer(received: string): Answer | null {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  if (rest.length === 0) return null;
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  const body = rest.join('\r\n\r\n');
  if (body.length < Number(headers['content-length'] ?? 0)) return null;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text: Buffer.from(body, 'latin1').toString('utf8'),
  };
}
