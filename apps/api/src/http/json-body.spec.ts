import type { AppError } from '@counterfoil/kernel';
import fastify, { type FastifyInstance } from 'fastify';
import { Connections } from './connections';
import { acceptOnlyJson } from './json-body';

let server: FastifyInstance;

beforeEach(() => {
  server = fastify();
  acceptOnlyJson(server, new Connections(100));
  const config = { json: { bytesMax: 3_000_000, valuesMax: 1_000_000 } };
  server.post('/large', { config }, () => ({ taken: true }));
  server.post('/', (request) => ({ body: request.body ?? 'no body' }));
  server.setErrorHandler((error, _request, reply) => {
    const { code, message, details } = error as AppError;
    void reply.status(400).send({ code, message, details });
  });
});
afterEach(() => server.close());

async function answerTo(payload: string, url = '/'): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await server.inject({ method: 'POST', url, headers, payload })).json();
}

/** The minimum of several runs, in milliseconds: other load only makes runs longer. */
async function quickest(run: () => unknown): Promise<number> {
  const runs: number[] = [];
  for (let count = 0; count < 7; count++) {
    const started = performance.now();
    await run();
    runs.push(performance.now() - started);
  }
  return Math.min(...runs);
}

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('may be nested as deep as the limit, and no deeper', async () => {
    expect(await answerTo(`{"a":${lists(19)}}`)).toHaveProperty('body.a');
    expect(await answerTo(`{"a":${lists(20)}}`)).toMatchObject({
      message: 'the body is nested deeper than 20 levels',
    });
  });

  it('may have as many values at any level as the limit, and no more', async () => {
    const half = `[${'0,'.repeat(4_998)}0]`;
    expect(await answerTo(`{"a":${half},"b":${half}}`)).toHaveProperty('body.a');
    expect(await answerTo(`{"a":${half},"b":${half},"c":0}`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'the body holds more than 10000 values',
    });
  });

  it('is refused with the name of the field that cannot be stored', async () => {
    expect(await answerTo('{"a":{"b":[{"c":"ok"},{"c":"x\\u0000"}]}}')).toMatchObject({
      details: [{ field: 'a.b[1].c', problem: 'must not contain NUL' }],
    });
    expect(await answerTo('{"a":"\\ud800"}')).toMatchObject({
      details: [{ field: 'a', problem: 'must be well-formed Unicode' }],
    });
  });

  it('is refused with a field name of bounded length', async () => {
    const { details } = (await answerTo(`{"${'k'.repeat(5_000)}":"\\u0000"}`)) as AppError;
    expect(details![0]!.field).toBe('k'.repeat(200));
  });

  it('counts as missing if it is empty', async () => {
    expect(await answerTo('')).toEqual({ body: 'no body' });
  });

  it.each([
    ['numbers', `{"a":[${'0,'.repeat(500_000)}0]}`],
    ['objects', `{"a":[${'{"a":1},'.repeat(130_000)}{}]}`],
    ['lists in lists', `{"a":${'['.repeat(1_000_000)}`],
  ])('over the limits is refused in about the time of parsing at most: a MiB of %s', async (_, body) => {
    const refusedMs = await quickest(async () => {
      expect(await answerTo(body)).toMatchObject({ code: 'VALIDATION_FAILED' });
    });
    const parsedMs = await quickest(() => {
      try {
        JSON.parse(body);
      } catch {
        // Unclosed lists cost as much.
      }
    });
    // It takes half of it, but other tests run beside this one.
    expect(refusedMs).toBeLessThan(parsedMs * 1.5);
  });

  describe('of a route with higher limits', () => {
    const values = (count: number) => `{"a":[${'0,'.repeat(count - 2)}0]}`;
    const padded = (bytes: number) => '{}'.padEnd(bytes);

    it('may be as large as the limit of the route, and no larger', async () => {
      expect(await answerTo(padded(3_000_000), '/large')).toEqual({ taken: true });
      expect(await answerTo(padded(3_000_001), '/large')).toMatchObject({
        code: 'FST_ERR_CTP_BODY_TOO_LARGE',
      });
      expect(await answerTo(padded(1024 * 1024 + 1))).toMatchObject({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
    });

    it('may have as many values as the limit of the route, and no more', async () => {
      expect(await answerTo(values(1_000_000), '/large')).toEqual({ taken: true });
      expect(await answerTo(values(1_000_001), '/large')).toMatchObject({
        message: 'the body holds more than 1000000 values',
      });
    });

    it('is checked like any other', async () => {
      const rows = '{"b":1,"c":["x"]},'.repeat(50_000);
      expect(await answerTo(`{"a":[${rows}{"b":"\\u0000"}]}`, '/large')).toMatchObject({
        details: [{ field: 'a[50000].b', problem: 'must not contain NUL' }],
      });
      expect(await answerTo(`{"a":${lists(20)}}`, '/large')).toMatchObject({
        message: 'the body is nested deeper than 20 levels',
      });
      expect(await answerTo(`{"a":[${'{},'.repeat(500_000)}{"b\\u0000":1}]}`, '/large')).toMatchObject({
        message: 'the body has a key that contains NUL or malformed Unicode',
      });
    });

    it('lets other work run between its pieces, even with a million values', async () => {
      const body = `{"a":[${'{},'.repeat(900_000)}{}]}`;
      let turns = 0;
      let isOver = false;
      const count = (): void => void ((turns += 1), isOver || setTimeout(count));
      count();
      expect(await answerTo(body, '/large')).toEqual({ taken: true });
      isOver = true;
      expect(turns).toBeGreaterThan(body.length / (128 * 1024));
    });
  });
});
