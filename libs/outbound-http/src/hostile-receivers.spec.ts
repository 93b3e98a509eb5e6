import type { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { NodeOutboundHttp } from './node-outbound-http';
import { OutboundError, type OutboundFailure } from './outbound-error';
import type { OutboundRequest, OutboundResponse } from './outbound-http';
import { aDelivery, aDownload, eventually, givenOutbound } from './testing/outbound';
import {
  type Answering,
  givenCertificate,
  givenHttpServer,
  givenRawServer,
  givenRawTlsServer,
  givenSocketServer,
  type Receiver,
} from './testing/receiver';

/** The outcome as a short text: the status, with a + if the body is complete, or the failure. */
type Outcome = OutboundFailure | `${number}${'+' | ''}`;

/** A pause of a busy machine. An attempt without a limit would last until the test times out. */
const SLACK_MS = 3_000;

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

function drip(socket: Socket, head: string, piece: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}

/** Sends as much as the other side reads, endlessly. */
function flood(socket: Socket, head: string, piece: Buffer): void {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.write(head);
  socket.on('drain', pour);
  pour();
}

/** Each receiver's behaviour, with the expected outcome of a delivery and of a download. */
const CORPUS: readonly (readonly [string, Answering, Outcome, Outcome])[] = [
  ['answers well', (s) => s.write(`${OK}content-length: 2\r\n\r\nok`), '200+', '200+'],
  ['never answers', () => undefined, 'timeout', 'timeout'],
  ['drips its body for ever', (s) => drip(s, `${OK}\r\n`, 'x'), '200', 'timeout'],
  ['drips a chunked body for ever', (s) => drip(s, CHUNKED, '1\r\nx\r\n'), '200', 'timeout'],
  ['drips a failure for ever', (s) => drip(s, 'HTTP/1.1 500 No\r\n\r\n', 'x'), '500', 'timeout'],
  ['drips headers for ever', (s) => drip(s, OK, 'a: b\r\n'), 'timeout', 'timeout'],
  ['drips its status line', (s) => drip(s, 'HTTP/1.1 200 ', 'O'), 'timeout', 'timeout'],
  ['floods without end', (s) => flood(s, `${OK}\r\n`, Buffer.alloc(65_536)), '200', 'too_large'],
  ['announces 1 GiB', (s) => s.write(`${OK}content-length: 1073741824\r\n\r\nx`), '200', 'too_large'],
  ['floods headers', (s) => flood(s, OK, Buffer.from('a: b\r\n'.repeat(1000))), 'too_large', 'too_large'],
  [
    'sends one header of 64 KiB',
    (s) => s.write(`${OK}a: ${'b'.repeat(65_536)}\r\n\r\n`),
    'too_large',
    'too_large',
  ],
  [
    'sends status text without end',
    (s) => flood(s, OK.trim(), Buffer.alloc(8192, 'K')),
    'too_large',
    'too_large',
  ],
  ['closes without an answer', (s) => s.end(), 'reset', 'reset'],
  ['resets without an answer', (s) => s.resetAndDestroy(), 'reset', 'reset'],
  ['resets amid the headers', (s) => s.write(OK, () => s.resetAndDestroy()), 'reset', 'reset'],
  [
    'resets amid the body',
    (s) => s.write(`${OK}\r\nx`, () => setTimeout(() => s.resetAndDestroy(), 20)),
    '200',
    'reset',
  ],
  ['sends less than it announced', (s) => s.end(`${OK}content-length: 9\r\n\r\nx`), '200', 'reset'],
  ['ends amid a chunk', (s) => s.end(`${CHUNKED}5\r\nx`), '200', 'reset'],
  ['sends a bad chunk', (s) => s.write(`${CHUNKED}zz\r\nx`), '200', 'protocol'],
  [
    'sends an endless chunk extension',
    (s) => flood(s, `${CHUNKED}1;`, Buffer.alloc(8192, 'a')),
    '200',
    'protocol',
  ],
  ['talks nonsense', (s) => s.write('SSH-2.0-OpenSSH_9.6\r\n'), 'protocol', 'protocol'],
  ['speaks HTTP/0.9', (s) => s.end('<html>hello</html>'), 'protocol', 'protocol'],
  ['sends a bad status', (s) => s.write('HTTP/1.1 2000 OK\r\n\r\n'), 'protocol', 'protocol'],
  ['sends a bad header', (s) => s.write(`${OK}no colon here\r\n\r\n`), 'protocol', 'protocol'],
  [
    'sends two lengths',
    (s) => s.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    'protocol',
    'protocol',
  ],
  [
    'speaks HTTP/2 unasked',
    (s) => s.write(Buffer.from('00000604000000000000', 'hex')),
    'protocol',
    'protocol',
  ],
  [
    'switches protocols unasked',
    (s) => s.write('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'protocol',
    'protocol',
  ],
  [
    'sends 1xx without end',
    (s) => drip(s, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    'protocol',
    'protocol',
  ],
  [
    'sends every 1xx first',
    (s) =>
      s.write(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\na: b\r\n\r\n${OK}content-length: 0\r\n\r\n`,
      ),
    '200+',
    '200+',
  ],
  [
    'sends 204 with a body',
    (s) => s.write('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'),
    '204',
    '204',
  ],
  [
    'answers twice',
    (s) => s.write(`${OK}content-length: 2\r\n\r\nok${OK}content-length: 4\r\n\r\nevil`),
    '200+',
    '200+',
  ],
  ['closes after its answer', (s) => s.end(`${OK}connection: close\r\n\r\nok`), '200+', '200+'],
];

function outcomeOf(sent: Promise<OutboundResponse>): Promise<string> {
  return sent.then(
    ({ status, bodyComplete }) => `${status}${bodyComplete ? '+' : ''}`,
    (error: unknown) => (error instanceof OutboundError ? error.failure : 'an unknown error'),
  );
}

describe('receivers that misbehave (contract §15.10)', () => {
  let outbound: NodeOutboundHttp;
  let receiver: Receiver | undefined;

  beforeEach(() => {
    outbound = givenOutbound();
  });
  afterEach(async () => {
    await outbound.close();
    await receiver?.close();
    receiver = undefined;
  });

  async function timed(request: OutboundRequest): Promise<string> {
    const started = performance.now();
    const outcome = await outcomeOf(outbound.send(request));
    expect(performance.now() - started).toBeLessThan(request.timeoutMs + SLACK_MS);
    return outcome;
  }

  it.each(CORPUS)('one that %s', async (_what, answer, asDelivery, asDownload) => {
    receiver = await givenRawServer(answer);
    const url = `http://receiver.example:${receiver.port}/`;
    expect([await timed(aDelivery(url)), await timed(aDownload(url, { acknowledgeOn: 'body' }))]).toEqual([
      asDelivery,
      asDownload,
    ]);
  });

  it('one that resets as soon as it accepts', async () => {
    receiver = await givenSocketServer((socket) => socket.resetAndDestroy());
    expect(await timed(aDelivery(`http://receiver.example:${receiver.port}/`))).toBe('reset');
    expect(await timed(aDelivery(`https://receiver.example:${receiver.port}/`))).toBe('reset');
  });

  it('one that never reads the request', async () => {
    receiver = await givenSocketServer((socket) => socket.pause());
    const body = Buffer.alloc(32 * 1024 * 1024);
    expect(await timed(aDelivery(`http://receiver.example:${receiver.port}/`, { body }))).toBe('timeout');
  });

  it('one that cannot be reached', async () => {
    receiver = await givenRawServer(() => undefined);
    await receiver.close();
    await expect(outbound.send(aDelivery(`http://receiver.example:${receiver.port}/`))).rejects.toMatchObject(
      {
        failure: 'connect',
        message: 'the connection could not be made (ECONNREFUSED)',
      },
    );
  });

  it('one whose name does not resolve, or not in time', async () => {
    await outbound.close();
    outbound = givenOutbound({
      resolve: (name) =>
        name === 'none.example' ? Promise.reject(new Error('x')) : new Promise(() => undefined),
    });
    for (const url of ['http://none.example/', 'http://hanging.example/']) {
      expect(await timed(aDelivery(url))).toBe('dns');
      expect(await timed(aDelivery(url, { timeoutMs: 50 }))).toBe('dns');
    }
  });

  it('a body after 2xx gets only its second even if much time is left', async () => {
    receiver = await givenRawServer((socket) => drip(socket, `${OK}\r\n`, 'x'));
    const started = performance.now();
    const request = aDelivery(`http://receiver.example:${receiver.port}/`, {
      timeoutMs: 10_000,
      bodyGraceMs: 200,
    });
    const answer = await outbound.send(request);
    expect(performance.now() - started).toBeLessThan(200 + SLACK_MS);
    expect(answer).toMatchObject({ status: 200, bodyComplete: false });
    expect(answer.body.length).toBeGreaterThan(0);
  });

  it('a late status leaves its body no time beyond the total', async () => {
    receiver = await givenRawServer((socket) => setTimeout(() => drip(socket, `${OK}\r\n`, 'x'), 400));
    const request = aDelivery(`http://receiver.example:${receiver.port}/`, {
      timeoutMs: 500,
      bodyGraceMs: 5000,
    });
    expect(await timed(request)).toBe('200');
  });

  it('a status after the total time is a failure', async () => {
    receiver = await givenRawServer((socket) =>
      setTimeout(() => socket.write(`${OK}content-length: 0\r\n\r\n`), 600),
    );
    expect(await timed(aDelivery(`http://receiver.example:${receiver.port}/`))).toBe('timeout');
  });

  it('a flood is cut at the limit without using memory', async () => {
    receiver = await givenRawServer((socket) => flood(socket, `${OK}\r\n`, FLOOD));
    const url = `http://receiver.example:${receiver.port}/`;
    await outbound.send(aDelivery(url));
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 50; round += 1) {
      const answer = await outbound.send(aDelivery(url));
      expect(answer.body).toHaveLength(1024);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(16 * 1024 * 1024);
  });

  it('a body in single bytes uses neither a buffer for each nor the event loop', async () => {
    receiver = await givenRawServer((socket) =>
      flood(socket, CHUNKED, Buffer.from(SINGLE_BYTE.repeat(10_000))),
    );
    const request = aDownload(`http://receiver.example:${receiver.port}/`, {
      timeoutMs: 20_000,
      bodyMaxBytes: 25 * 1024 * 1024,
    });
    const cost = await costOf(() => outbound.send(request));
    expect(cost).toMatchObject({ outcome: 'protocol' });
    expect(cost.rssBytes).toBeLessThan(128 * 1024 * 1024);
    // Other tests run beside this one: a quiet machine needs a tenth.
    expect(cost.lagMs).toBeLessThan(2_000);
  });

  it('a body in small pieces is complete and in order', async () => {
    const body = Array.from({ length: 4000 }, (_, index) => `${index},`);
    receiver = await givenHttpServer((_request, response) => {
      for (const piece of body) response.write(piece);
      response.end();
    });
    const request = aDownload(`http://receiver.example:${receiver.port}/`, {
      timeoutMs: 5000,
      bodyMaxBytes: body.join('').length,
    });
    const answer = await outbound.send(request);
    expect(answer.body.toString()).toBe(body.join(''));
    await expect(outbound.send({ ...request, bodyMaxBytes: request.bodyMaxBytes - 1 })).rejects.toMatchObject(
      { failure: 'too_large' },
    );
  });

  it.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'])(
    'a flood of %j ends the attempt at once',
    async (interim) => {
      receiver = await givenRawServer((socket) => flood(socket, '', Buffer.from(interim.repeat(1000))));
      const request = aDelivery(`http://receiver.example:${receiver.port}/`, { timeoutMs: 20_000 });
      const cost = await costOf(() => outbound.send(request));
      expect(cost).toMatchObject({ outcome: 'protocol' });
      expect(cost.tookMs).toBeLessThan(request.timeoutMs / 2);
      await eventually(() => receiver?.open() === 0);
    },
  );

  it('receivers that answer without reading the request do not block the next connection', async () => {
    receiver = await givenSocketServer((socket) => {
      socket.once('data', (head) => {
        if (head.toString('latin1').startsWith('POST /unread')) socket.pause();
        socket.write(`${OK}content-length: 0\r\n\r\n`);
      });
    });
    const url = `http://receiver.example:${receiver.port}`;
    const body = Buffer.alloc(32 * 1024 * 1024);
    for (let round = 0; round < 12; round += 1) {
      expect(await timed(aDelivery(`${url}/unread`, { body }))).toBe('200+');
    }
    expect(await timed(aDelivery(`${url}/read`))).toBe('200+');
  });

  it('a compressed body is passed on unchanged', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    receiver = await givenHttpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    });
    const url = `http://receiver.example:${receiver.port}/`;
    const sample = await outbound.send(aDelivery(url));
    expect(sample.body.equals(bomb.subarray(0, 1024))).toBe(true);
    const whole = await outbound.send(aDownload(url, { bodyMaxBytes: bomb.length }));
    expect(whole.body.equals(bomb)).toBe(true);
    await expect(outbound.send(aDownload(url, { bodyMaxBytes: bomb.length - 1 }))).rejects.toMatchObject({
      failure: 'too_large',
    });
  });

  it('a body after a 204 is never read as the next response, even under load', async () => {
    receiver = await givenRawServer((socket) => {
      socket.write('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\n', () =>
        setTimeout(() => socket.write('hello'), 2),
      );
    });
    await outbound.close();
    outbound = givenOutbound({ connectionsPerOriginMax: 1 });
    const request = aDelivery(`http://receiver.example:${receiver.port}/`, { timeoutMs: 5000 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(outbound.send(request))));
    expect(new Set(outcomes)).toEqual(new Set(['204']));
  });
});

const FLOOD = Buffer.alloc(65_536);
const SINGLE_BYTE = '1\r\nx\r\n';

interface Cost {
  readonly outcome: string;
  readonly tookMs: number;
  readonly lagMs: number;
  readonly rssBytes: number;
}

/** Measures an attempt: its duration, its memory, and the longest turn of the event loop. */
async function costOf(send: () => Promise<OutboundResponse>): Promise<Cost> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const lag = monitorEventLoopDelay({ resolution: 5 });
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  lag.enable();
  const started = performance.now();
  const outcome = await outcomeOf(send());
  const tookMs = performance.now() - started;
  // A long last turn is measured by the following one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  lag.disable();
  clearInterval(sampling);
  return { outcome, tookMs, lagMs: lag.max / 1e6, rssBytes: peak - before };
}

describe('statuses (contract §15.10)', () => {
  it('every final status is passed on unchanged', async () => {
    const receiver = await givenHttpServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { location: 'http://127.0.0.1:1/' }).end();
    });
    const outbound = givenOutbound();
    const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);
    const url = `http://receiver.example:${receiver.port}`;
    const answers = await Promise.all(
      statuses.map((status) => outbound.send(aDelivery(`${url}/${status}`, { timeoutMs: 5000 }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    await outbound.close();
    await receiver.close();
  });
});

describe('secure connections', () => {
  const closing: (() => Promise<void>)[] = [];
  let good: Awaited<ReturnType<typeof givenCertificate>>;

  beforeAll(async () => {
    good = await givenCertificate('receiver.example');
  });
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  async function deliver(given: Promise<Receiver>, ca: string, host = 'receiver.example'): Promise<string> {
    const receiver = await given;
    const outbound = givenOutbound({ ca });
    closing.push(
      () => receiver.close(),
      () => outbound.close(),
    );
    return outcomeOf(outbound.send(aDelivery(`https://${host}:${receiver.port}/`)));
  }

  const answering: Answering = (socket) => socket.write(`${OK}content-length: 0\r\n\r\n`);

  it('need a certificate for the host name', async () => {
    expect(await deliver(givenRawTlsServer(good, answering), good.ca)).toBe('200+');
  });

  it('send the host name without its trailing dot, and only HTTP/1.1', async () => {
    let asked: unknown;
    const options: tls.TlsOptions = {
      ...good,
      ALPNCallback: ({ servername, protocols }) => {
        asked = { servername, protocols };
        return protocols[0];
      },
    };
    expect(await deliver(givenRawTlsServer(options, answering), good.ca, 'receiver.example.')).toBe('200+');
    expect(asked).toEqual({ servername: 'receiver.example', protocols: ['http/1.1'] });
  });

  it.each([
    ['another name', 'receiver.example', 'other.example', undefined],
    ['the address, not the name', '127.0.0.1', 'receiver.example', undefined],
    ['an expired certificate', 'receiver.example', 'receiver.example', new Date(Date.now() - 60_000)],
  ])('are refused for %s', async (_what, host, name, validUntil) => {
    const certificate = await givenCertificate(name, validUntil);
    expect(await deliver(givenRawTlsServer(certificate, answering), certificate.ca, host)).toBe('tls');
  });

  it('are refused for a certificate of an unknown authority, whatever the environment', async () => {
    const other = await givenCertificate('receiver.example');
    expect(await deliver(givenRawTlsServer(other, answering), good.ca)).toBe('tls');
  });

  it('are refused if only HTTP/2 is supported', async () => {
    let spoken = 0;
    const options: tls.TlsOptions = { ...good, ALPNProtocols: ['h2'] };
    expect(
      await deliver(
        givenRawTlsServer(options, () => (spoken += 1)),
        good.ca,
      ),
    ).toBe('tls');
    expect(spoken).toBe(0);
  });

  it('fail when the handshake stalls', async () => {
    const silent = givenSocketServer((socket) => socket.resume());
    expect(await deliver(silent, good.ca)).toBe('timeout');
  });

  it('are refused if the port uses plain HTTP', async () => {
    const plain = givenSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await deliver(plain, good.ca)).toBe('tls');
  });

  it('are refused if a client certificate is required', async () => {
    const options: tls.TlsOptions = { ...good, requestCert: true, rejectUnauthorized: true };
    expect(await deliver(givenRawTlsServer(options, answering), good.ca)).toMatch(/^(tls|reset)$/);
  });
});
