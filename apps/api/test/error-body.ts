import path from 'node:path';
import type { Answer } from './http-exchange';

const ROOT = path.resolve(__dirname, '../../..');
/** Texts that would reveal internals to a caller: stacks, files, SQL, names of components. */
const INTERNALS =
  /node_modules|\.[cm]?[jt]s:\d|\n\s+at |select .* from|insert into|violates|relation "|syntax error|typeorm|QueryFailed|fastify|nestjs|postgres|Cannot (read|set|GET|POST|PUT|DELETE)/i;
const WHOLE_BODY_LENGTH_MAX = 20_000;

export interface ExpectedError {
  readonly status: number;
  readonly code: string;
  /** A field that `details` must name. */
  readonly field?: string;
}

/** Asserts that an answer is exactly the standard error body (contract §3.1). */
export function expectError(answer: Answer, { status, code, field }: ExpectedError): void {
  expect({ status: answer.status, code: codeIn(answer) }).toEqual({ status, code });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.text);
  const problem = { field: expect.stringMatching(/./), problem: expect.stringMatching(/./) };
  expect(body).toEqual({
    success: false,
    code,
    error: expect.stringMatching(/^\S.*\S$/),
    ...('details' in body ? { details: body.details.map(() => problem) } : {}),
    requestId: answer.headers['x-request-id'],
  });
  expect(body.requestId).toMatch(/^[\w.:-]{1,128}$/);
  if ('details' in body) expect(body.details).not.toEqual([]);
  if (field !== undefined) expect(body.details.map((one: { field: string }) => one.field)).toContain(field);
  expect(answer.text).not.toMatch(INTERNALS);
  expect(answer.text).not.toContain(ROOT);
  expect(answer.text.length).toBeLessThan(WHOLE_BODY_LENGTH_MAX);
  if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
}

function codeIn(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text).code;
  } catch {
    return `not JSON: ${answer.text.slice(0, 200)}`;
  }
}
