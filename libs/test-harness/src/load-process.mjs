// Clients that call an HTTP server, in a process of their own, so that what they cost is not the caller's.
import net from 'node:net';
import { answerCalls } from './answer-calls.mjs';

const HEAD_END = '\r\n\r\n';

/**
 * One connection that is kept, with one request at a time. Written on a socket, since Node's own client takes as much
 * of a processor for a request as the server under test.
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

  get(path, { hostname, headers }) {
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
      this.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`);
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

  /** All that has been received is the beginning of one answer. */
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

/** Calls the paths in turn, `clients` at a time, for a while. How long each took, in ms. */
async function run({ url, headers, paths, clients, durationMs }) {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const target = { hostname, headers: lines.join('') };
  const tookMs = [];
  const failed = [];
  let calls = 0;
  const started = performance.now();
  const call = async () => {
    const client = new Client({ hostname, port });
    try {
      while (performance.now() - started < durationMs) {
        const path = paths[calls++ % paths.length];
        const asked = performance.now();
        const status = await client.get(path, target);
        tookMs.push(performance.now() - asked);
        if (status !== 200) failed.push(`${path} answered ${status}`);
      }
    } finally {
      client.close();
    }
  };
  await Promise.all(Array.from({ length: clients }, call));
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed[0]}`);
  return { tookMs, perSecond: tookMs.length / ((performance.now() - started) / 1_000) };
}

answerCalls({ run });
