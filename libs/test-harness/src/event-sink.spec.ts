import { once } from 'node:events';
import fs from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { type EventSink, type Mood, startEventSink } from './event-sink';
import { until } from './until';

const DRIPS_MS = 1_200;
const FLOOD_TAKEN = 50_000_000;

let sink: EventSink;
let agent: Agent;

beforeAll(async () => {
  sink = await startEventSink({ content: true });
  agent = new Agent({ keepAlive: true, maxSockets: 1, ca: fs.readFileSync(sink.certificateFile) });
});
afterAll(async () => {
  agent.destroy();
  await sink.close();
});

function post(path: string) {
  const sent = request(sink.urlOf(path), {
    agent,
    method: 'POST',
    headers: { 'service-event-id': `evt${path}` },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  response.catch(() => undefined);
  sent.end('{"a":1}');
  return { sent, response };
}

async function postWhole(path: string): Promise<number | undefined> {
  const answer = await post(path).response;
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

async function exchangeOf(path: string) {
  const taken = await until('the request to end', async () => {
    const some = await sink.take();
    return some.some((one) => one.path === path) && some;
  });
  return taken.find((one) => one.path === path);
}

const tallyOf = async (path: string) => (await sink.state()).paths[path];

it('records when an event arrived and how it was answered, over a kept-alive connection', async () => {
  const before = Date.now();
  for (let count = 0; count < 3; count++) expect(await postWhole('/ok')).toBe(200);
  const exchange = await exchangeOf('/ok');
  expect(exchange).toMatchObject({ eventId: 'evt/ok', status: 200, complete: true, body: '{"a":1}' });
  expect(exchange!.at).toBeGreaterThan(before - 2);
  expect(exchange!.endedAt).toBeGreaterThanOrEqual(exchange!.at);
  expect(exchange!.endedAt).toBeLessThan(Date.now() + 2);
  expect(await sink.state()).toMatchObject({
    connections: 1,
    paths: { '/ok': { requests: 3, inFlight: 0, maxInFlight: 1 } },
  });
});

it('fails each n-th request, and answers late', async () => {
  await sink.setMood('/fail', { kind: 'fail', every: 2 });
  expect([await postWhole('/fail'), await postWhole('/fail'), await postWhole('/fail')]).toEqual([
    200, 500, 200,
  ]);
  await sink.setMood('/slow', { kind: 'slow', afterMs: 300 });
  const since = performance.now();
  await postWhole('/slow');
  expect(performance.now() - since).toBeGreaterThan(290);
});

it.each<[Mood['kind'], number | null]>([
  ['hang', null],
  ['slow-head', null],
])('leaves a request without an answer: %s', async (kind, status) => {
  const path = `/${kind}`;
  await sink.setMood(path, { kind } as Mood);
  const { sent, response } = post(path);
  await until('the request', async () => (await tallyOf(path))?.inFlight === 1);
  const first = await Promise.race([
    response.then(() => 'an answer'),
    new Promise((resolve) => setTimeout(resolve, DRIPS_MS, 'nothing')),
  ]);
  expect(first).toBe('nothing');
  sent.destroy();
  expect(await exchangeOf(path)).toMatchObject({ status, complete: false });
  expect(await tallyOf(path)).toMatchObject({ inFlight: 0, maxInFlight: 1 });
});

it('drips a byte each half second', async () => {
  await sink.setMood('/drip', { kind: 'drip' });
  const { sent, response } = post('/drip');
  const pieces: number[] = [];
  (await response).on('data', (piece: Buffer) => pieces.push(piece.length)).on('error', () => undefined);
  await until('some drips', () => pieces.length >= 2);
  expect(pieces.slice(0, 2)).toEqual([1, 1]);
  sent.destroy();
  expect(await exchangeOf('/drip')).toMatchObject({ status: 200, complete: false });
});

it('floods as long as the client reads', async () => {
  await sink.setMood('/flood', { kind: 'flood' });
  const { sent, response } = post('/flood');
  let bytes = 0;
  (await response).on('data', (piece: Buffer) => (bytes += piece.length)).on('error', () => undefined);
  await until('the flood', () => bytes > FLOOD_TAKEN);
  sent.destroy();
  expect(await exchangeOf('/flood')).toMatchObject({ status: 200, complete: false });
});

it('resets the connection', async () => {
  await sink.setMood('/reset', { kind: 'reset' });
  await expect(post('/reset').response).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await exchangeOf('/reset')).toMatchObject({ status: null, complete: false });
  expect(await postWhole('/ok')).toBe(200);
});

it('refuses an unknown mood', async () => {
  await expect(sink.setMood('/x', { kind: 'angry' } as unknown as Mood)).rejects.toThrow('angry');
});
