import type { AppError } from '@counterfoil/kernel';
import fastify, { type FastifyInstance } from 'fastify';
import { acceptOnlyJson } from './json-body';

let server: FastifyInstance;

beforeEach(() => {
  server = fastify();
  acceptOnlyJson(server);
  server.post('/', (request) => ({ body: request.body ?? 'no body' }));
  server.setErrorHandler((error, _request, reply) => {
    const { code, message, details } = error as AppError;
    void reply.status(400).send({ code, message, details });
  });
});
afterEach(() => server.close());

async function answerTo(payload: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await server.inject({ method: 'POST', url: '/', headers, payload })).json();
}

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('may be nested as deep as the limit, and no deeper', async () => {
    expect(await answerTo(`{"a":${lists(19)}}`)).toHaveProperty('body.a');
    expect(await answerTo(`{"a":${lists(20)}}`)).toMatchObject({
      message: 'the body is nested deeper than 20',
    });
  });

  it('may hold as many values as the limit, wherever they are, and no more', async () => {
    const half = `[${'0,'.repeat(4_998)}0]`;
    expect(await answerTo(`{"a":${half},"b":${half}}`)).toHaveProperty('body.a');
    expect(await answerTo(`{"a":${half},"b":${half},"c":0}`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'the body holds more than 10000 values',
    });
  });

  it('is named where it holds what cannot be stored', async () => {
    expect(await answerTo('{"a":{"b":[{"c":"ok"},{"c":"x\\u0000"}]}}')).toMatchObject({
      details: [{ field: 'a.b[1].c', problem: 'must not contain NUL' }],
    });
    expect(await answerTo('{"a":"\\ud800"}')).toMatchObject({
      details: [{ field: 'a', problem: 'must be well-formed Unicode' }],
    });
  });

  it('is named no longer than needed, however long its own names are', async () => {
    const { details } = (await answerTo(`{"${'k'.repeat(5_000)}":"\\u0000"}`)) as AppError;
    expect(details![0]!.field).toBe('k'.repeat(200));
  });

  it('is no body when it is empty', async () => {
    expect(await answerTo('')).toEqual({ body: 'no body' });
  });
});
