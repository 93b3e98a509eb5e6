import { AppError } from '@counterfoil/kernel';
import fc from 'fast-check';
import {
  checkFilters,
  FILTERS_BYTES_MAX,
  FILTERS_DEPTH_MAX,
  type Json,
  type JsonObject,
} from './saved-report';

function problemOf(filters: JsonObject): string | null {
  try {
    checkFilters(filters);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { code, details } = error as AppError;
    expect({ code, fields: details?.map(({ field }) => field) }).toEqual({
      code: 'VALIDATION_FAILED',
      fields: ['filters'],
    });
    return details![0]!.problem;
  }
}

const read = (text: string) => JSON.parse(text) as JsonObject;
const objects = (levels: number) => read(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
const lists = (levels: number) => read(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

it('filters may hold whatever JSON does', () => {
  for (const filters of [{}, { a: null, b: [true, -1.5, 'שלום 😀', [], {}] }, { '': { '': '' } }]) {
    expect(problemOf(filters)).toBeNull();
  }
});

it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', 'valueOf'])(
  'a key may be %s',
  (key) => {
    for (const value of [null, 5, 'x', [], {}, { [key]: [{ [key]: 1 }] }] as Json[]) {
      expect(problemOf({ [key]: value, inside: [{ [key]: value }] })).toBeNull();
      expect(problemOf({ [key]: { value, far: Infinity } })).toMatch(/numbers/);
    }
  },
);

it.each(['1e999', '-1e999', '9007199254740992', '-9007199254740992', '12345678901234567890', '1e21'])(
  'a number that would be kept as another is refused: %s',
  (number) => {
    for (const text of [`{"a":${number}}`, `{"a":[{"b":[1,${number}]}]}`]) {
      expect(problemOf(read(text))).toMatch(/^must hold numbers up to 9007199254740991 only/);
    }
  },
);

it.each(['9007199254740991', '-9007199254740991', '0.1', '1e15', '5e-324', '-0'])(
  'a number that is kept is taken: %s',
  (number) => expect(problemOf(read(`{"a":[${number}]}`))).toBeNull(),
);

it(`nothing is nested deeper than ${FILTERS_DEPTH_MAX} levels`, () => {
  for (const nested of [objects, lists]) {
    expect(problemOf(nested(FILTERS_DEPTH_MAX))).toBeNull();
    expect(problemOf(nested(FILTERS_DEPTH_MAX + 1))).toMatch(/at most 8 levels/);
  }
});

it('they are at most 16 KiB, in bytes of UTF-8', () => {
  expect(problemOf(ofBytes(FILTERS_BYTES_MAX))).toBeNull();
  expect(problemOf(ofBytes(FILTERS_BYTES_MAX + 1))).toMatch(/at most 16384 bytes/);
  expect(problemOf({ a: 'ש'.repeat((FILTERS_BYTES_MAX - 8) / 2) })).toBeNull();
  expect(problemOf({ a: 'ש'.repeat(FILTERS_BYTES_MAX / 2) })).toMatch(/at most 16384 bytes/);
  expect(problemOf({ a: '"'.repeat(FILTERS_BYTES_MAX / 2) })).toMatch(/at most 16384 bytes/);
});

it('a whole number is kept digit by digit, or refused', () => {
  const around = BigInt(Number.MAX_SAFE_INTEGER);
  const near = fc.bigInt({ min: -5n, max: 5n }).map((n) => around + n);
  const number = fc.oneof(
    near,
    near.map((n) => -n),
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  );
  fc.assert(
    fc.property(number, (n) => {
      const text = `{"a":[${n}]}`;
      const kept = problemOf(read(text)) === null;
      expect({ n, kept }).toEqual({ n, kept: -around <= n && n <= around });
      if (kept) expect(JSON.stringify(read(text))).toBe(text);
    }),
  );
});
