import type { ExampleCall } from '../src/openapi/describe-examples';
import type { ExampleSession } from './example-session';

/** Shorter texts are words, not generated ids. */
const TOKEN = /[\w-]{16,}/g;

/** Ids that are numbers, such as `deliveryId`, are told apart from other numbers by the end of their name. */
const NUMBERED = /Id$/;

type Id = string | number;

/**
 * Sends the recorded calls to a service in their order, and expects the recorded statuses. In each request, an id that
 * an earlier response contained is replaced by the id that the service has generated this time.
 */
export async function replay(session: ExampleSession, calls: readonly ExampleCall[]): Promise<void> {
  const actual = new Map<string, Id>();
  const told: unknown[] = [];
  for (const call of calls) {
    const { operation, path, query, body, key } = replaced(call, actual);
    const { status, answer } = await session.send(operation, {
      ...(path && { path }),
      ...(query && { query }),
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
    });
    told.push({ operation, status });
    learn(call.answer, answer, actual);
  }
  expect(told).toEqual(calls.map(({ operation, status }) => ({ operation, status })));
}

function replaced(call: ExampleCall, actual: ReadonlyMap<string, Id>): ExampleCall {
  const { answer: _, ...request } = call;
  const text = JSON.stringify(request).replace(TOKEN, (token) => String(actual.get(token) ?? token));
  return JSON.parse(
    text,
    (name, value: unknown) => actual.get(numberedId(name, value)) ?? value,
  ) as ExampleCall;
}

/** Pairs the ids of a recorded answer with those of the actual one. */
function learn(recorded: unknown, answered: unknown, actual: Map<string, Id>): void {
  if (typeof recorded === 'string' && typeof answered === 'string') {
    learnTokens(recorded.match(TOKEN) ?? [], answered.match(TOKEN) ?? [], actual);
  } else if (isObject(recorded) && isObject(answered)) {
    for (const [name, value] of Object.entries(recorded)) {
      const other = answered[name];
      learn(value, other, actual);
      if (NUMBERED.test(name) && typeof other === 'number') actual.set(numberedId(name, value), other);
    }
  }
}

const numberedId = (name: string, value: unknown): string => `${name} ${String(value)}`;

function learnTokens(
  recorded: readonly string[],
  answered: readonly string[],
  actual: Map<string, Id>,
): void {
  if (recorded.length !== answered.length) return;
  for (const [index, token] of recorded.entries()) {
    const other = answered[index];
    if (other !== undefined && other !== token) actual.set(token, other);
  }
}

/** Arrays too, by their indexes. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
