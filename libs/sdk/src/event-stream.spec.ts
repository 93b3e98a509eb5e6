import { Counterfoil } from './client.ts';
import { isCounterfoilError } from './errors.ts';
import type { StreamStart } from './event-stream.ts';
import { AnsweringServer, type Answerer, refusal } from './testing/answering-server.ts';

let server: AnsweringServer;
let client: Counterfoil;

beforeAll(async () => {
  server = await AnsweringServer.start();
  client = new Counterfoil({ apiKey: 'sk_test', baseUrl: server.url });
});

afterAll(() => server.close());

const COUNT = 12;
const message = (id: number, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const delivery = (id: number) =>
  message(id, 'delivery', { headers: { 'webhook-id': `evt_${id}` }, body: `גוף ${id}` });

/** Answers like a service with so many events, in small pieces, and breaks after the third event. */
const breaking: Answerer = (response, { headers }) => {
  const first = Number(headers['last-event-id'] ?? 0) + 1;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`retry: 1000\n${message(first - 1, 'open', { secret: 'whsec_x', cursor: `${first - 1}` })}`);
  const ids = [first, first + 1, first + 2].filter((id) => id <= COUNT);
  const bytes = Buffer.from(ids.map(delivery).join('') + delivery(first + 3).slice(0, 30));
  for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
  setImmediate(() => (first > COUNT / 2 ? response.destroy() : response.end()));
};

describe('a stream of events', () => {
  it('yields each event once and unchanged, across broken and ended connections', async () => {
    server.answerWith(breaking);
    const starts: StreamStart[] = [];
    let breaks = 0;
    const found: string[] = [];
    const stream = client.webhooks.stream({
      onOpen: (start) => starts.push(start),
      onBreak: () => (breaks += 1),
    });
    for await (const { cursor, headers, body } of stream) {
      expect({ headers, body }).toEqual({
        headers: { 'webhook-id': `evt_${cursor}` },
        body: `גוף ${cursor}`,
      });
      found.push(cursor);
      if (found.length === COUNT) break;
    }
    expect(found).toEqual(Array.from({ length: COUNT }, (_, index) => `${index + 1}`));
    expect(starts.map(({ cursor }) => cursor)).toEqual(['0', '3', '6', '9']);
    expect(breaks).toBe(3);
    expect(server.received[0]!.headers).toMatchObject({ authorization: 'Bearer sk_test' });
    expect(server.received[0]!.headers).not.toHaveProperty('last-event-id');
  });

  it('takes the cursor of a heartbeat', async () => {
    server.answerWith(
      (response) => response.writeHead(200).end(`${message(1, 'open', {})}: heartbeat\nid: 5\n\n`),
      (response, { headers }) => response.writeHead(200).end(delivery(Number(headers['last-event-id']) + 1)),
    );
    for await (const { cursor } of client.webhooks.stream()) {
      expect(cursor).toBe('6');
      break;
    }
  });

  it('connects again after an internal error of the service, unless it was never open', async () => {
    server.answerWith(
      (response) => response.writeHead(200).end(`${message(1, 'open', {})}${delivery(2)}`),
      refusal(500, 'INTERNAL'),
      (response) => response.writeHead(200).end(delivery(3)),
    );
    const found: string[] = [];
    for await (const { cursor } of client.webhooks.stream()) if (found.push(cursor) === 2) break;
    expect(found).toEqual(['2', '3']);
    server.answerWith(refusal(500, 'INTERNAL'));
    await expect(client.webhooks.stream().next()).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('connects again after a refusal whose body breaks off', async () => {
    server.answerWith(
      (response) => response.writeHead(200).end(`${message(1, 'open', {})}${delivery(2)}`),
      (response) => {
        response.writeHead(503, { 'content-length': 100 }).write('{"success"');
        setImmediate(() => response.destroy());
      },
      (response) => response.writeHead(200).end(delivery(3)),
    );
    const found: string[] = [];
    for await (const { cursor } of client.webhooks.stream()) if (found.push(cursor) === 2) break;
    expect(found).toEqual(['2', '3']);
  });

  it('has events signed again that waited for their reader for a minute', async () => {
    const signedAgo = (id: number, seconds: number) => {
      const signedAt = Math.floor(Date.now() / 1_000) - seconds;
      return message(id, 'delivery', { headers: { 'webhook-timestamp': `${signedAt}` }, body: `${id}` });
    };
    server.answerWith(
      (response) =>
        response
          .writeHead(200)
          .end([message(1, 'open', {}), signedAgo(2, 30), signedAgo(3, 80), signedAgo(4, 95)].join('')),
      (response) => response.writeHead(200).end(signedAgo(4, 0)),
    );
    const broken: string[] = [];
    const bodies: string[] = [];
    const stream = client.webhooks.stream({ onBreak: ({ message: reason }) => broken.push(reason) });
    for await (const { body } of stream) if (bodies.push(body) === 3) break;
    expect(bodies).toEqual(['2', '3', '4']);
    expect(broken).toEqual(['events waited too long for their reader']);
    expect(server.received[1]!.headers).toMatchObject({ 'last-event-id': '3' });
  });

  it('rejects with the refusal of a cursor, and for an address where nothing answers', async () => {
    server.answerWith(refusal(400, 'INVALID_CURSOR'));
    await expect(client.webhooks.stream({ cursor: 'old' }).next()).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    });
    expect(server.received).toHaveLength(1);
    const nowhere = new Counterfoil({ apiKey: 'sk_test', baseUrl: 'http://127.0.0.1:1' });
    const failure: unknown = await nowhere.webhooks
      .stream()
      .next()
      .catch((error: unknown) => error);
    expect(isCounterfoilError(failure, 'CONNECTION_FAILED')).toBe(true);
  });

  it('does not connect if its signal is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const onOpen = jest.fn();
    await expect(client.webhooks.stream({ signal, onOpen }).next()).rejects.toThrow('enough');
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('ends with the reason of its signal, also while nothing happens', async () => {
    server.answerWith((response) => response.writeHead(200).write(message(1, 'open', {})));
    const stop = new AbortController();
    const stream = client.webhooks.stream({
      signal: stop.signal,
      onOpen: () => stop.abort(new Error('enough')),
    });
    await expect(stream.next()).rejects.toThrow('enough');
  });
});
