// Clients that call an HTTP server. They run in a separate process, so that their cost does not burden the
// caller.
import net from 'node:net';
import { answerCalls } from './answer-calls.mjs';

const HEAD_END = '\r\n\r\n';

/**
 * One kept-alive connection with one request at a time. It uses a bare socket, because Node's HTTP client
 * costs as much processor time per request as the server under test.
 */
class Client {
  constructor({ hostname, port }) {
    this.socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    this.received = [];
    this.missing = 0;
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', (error) => this.fail?.(error));
    this.socket.on('close', () => this.fail?.(new Error('the connection was closed')));
  }

  /** Returns the status. Sends a POST with a body, a GET without. */
  call({ path, body, key, contentType = 'application/json' }, { hostname, headers }) {
    const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
    const lines = `${headers}${authorization}${length && `Content-Type: ${contentType}\r\n${length}`}`;
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
      this.socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${lines}\r\n${body ?? ''}`);
    });
  }

  take(chunk) {
    this.received.push(chunk);
    if (this.missing > 0) this.missing -= chunk.length;
    else this.readHead();
    if (this.missing > 0 || this.status === undefined) return;
    const { status } = this;
    this.received = [];
    this.missing = 0;
    this.status = undefined;
    this.settle(status);
  }

  /** The received data is the start of one response. */
  readHead() {
    const all = Buffer.concat(this.received);
    const end = all.indexOf(HEAD_END);
    if (end < 0) return;
    const head = all.toString('latin1', 0, end);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error('an answer without a length'));
    this.status = Number(head.slice(9, 12));
    this.missing = end + HEAD_END.length + Number(length) - all.length;
  }

  close() {
    this.fail = undefined;
    this.socket.destroy();
  }
}

/**
 * Sends the calls in turn from `clients` clients for a while. Returns the duration of each call in
 * milliseconds.
 */
async function run({ url, headers, paths, posts, statuses = [posts ? 201 : 200], clients, durationMs }) {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const target = { hostname, headers: lines.join('') };
  const tookMs = [];
  const answered = {};
  const failed = [];
  const requests = posts ?? paths.map((path) => ({ path }));
  let calls = 0;
  const started = performance.now();
  const call = async () => {
    const client = new Client({ hostname, port });
    try {
      while (performance.now() - started < durationMs) {
        const next = requests[calls++ % requests.length];
        const began = performance.now();
        const status = await client.call(next, target);
        tookMs.push(performance.now() - began);
        answered[status] = (answered[status] ?? 0) + 1;
        if (!statuses.includes(status)) failed.push(`${next.path} answered ${status}`);
      }
    } finally {
      client.close();
    }
  };
  await Promise.all(Array.from({ length: clients }, call));
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed[0]}`);
  return { tookMs, answered, perSecond: tookMs.length / ((performance.now() - started) / 1_000) };
}

answerCalls({ run });
