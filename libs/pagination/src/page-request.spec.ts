import fc from 'fast-check';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, parsePageRequest } from './page-request';

const FAR = Number.MAX_SAFE_INTEGER;

/** Builds a query as the server parses it: a text for a single value, an array for a repeated parameter. */
function query(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const values = params.getAll(key);
      return [key, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

describe('parsePageRequest', () => {
  it.each([
    ['', 50, 0],
    ['limit=20', 20, 0],
    ['pageSize=20', 20, 0],
    ['offset=7', 50, 7],
    ['page=3', 50, 100],
    ['limit=10&page=3', 10, 20],
    ['pageSize=10&page=3', 10, 20],
    ['unknown=1', 50, 0],
  ])('%j: limit %d, offset %d', (text, limit, offset) => {
    expect(parsePageRequest(query(text))).toEqual({ limit, offset });
  });

  it.each([
    ['pageSize=10&limit=20', 10, 0],
    ['limit=20&pageSize=10', 10, 0],
    ['pageSize=abc&limit=20', 50, 0],
    ['pageSize=&limit=20', 50, 0],
    ['pageSize=500&limit=20', 200, 0],
    ['pageSize=10&limit=20&page=2', 10, 10],
    ['offset=7&page=3', 50, 7],
    ['page=3&offset=0', 50, 0],
    ['offset=abc&page=3', 50, 0],
    ['offset=&page=3', 50, 0],
    ['offset=-1&page=3', 50, 0],
  ])(
    'pageSize wins over limit and offset over page, whatever they hold: %j (contract §2.1)',
    (text, limit, offset) => {
      expect(parsePageRequest(query(text))).toEqual({ limit, offset });
    },
  );

  it.each([
    ['0', 1],
    ['-1', 1],
    ['-0', 1],
    ['0.5', 1],
    ['1', 1],
    ['1.99', 1],
    ['199', 199],
    ['200', 200],
    ['200.9', 200],
    ['201', 200],
    ['1e9', 200],
    ['1e999', 200],
    ['-1e999', 1],
    ['2e1', 20],
    ['5e-1', 1],
    ['.5e1', 5],
    ['7.', 7],
    ['+7', 7],
    ['007', 7],
    ['  7\t', 7],
    ['9'.repeat(400), 200],
    ['abc', 50],
    ['', 50],
    ['   ', 50],
    ['.', 50],
    ['-', 50],
    ['e5', 50],
    ['7e', 50],
    ['1.2.3', 50],
    ['1,5', 50],
    ['1 0', 50],
    ['7px', 50],
    ['0x10', 50],
    ['0b1', 50],
    ['1_000', 50],
    ['10n', 50],
    ['NaN', 50],
    ['Infinity', 50],
    ['-Infinity', 50],
    ['null', 50],
    ['true', 50],
    ['٧', 50],
    ['7\0', 50],
  ])('reads a size of %j as %d, by either name (contract §2.2)', (text, limit) => {
    expect(parsePageRequest({ limit: text })).toEqual({ limit, offset: 0 });
    expect(parsePageRequest({ pageSize: text })).toEqual({ limit, offset: 0 });
  });

  it.each([
    ['0', 0],
    ['-5', 0],
    ['-0', 0],
    ['3.9', 3],
    ['1e9', 1_000_000_000],
    ['9007199254740991', FAR],
    ['9007199254740993', FAR],
    ['1e999', FAR],
    ['abc', 0],
    ['Infinity', 0],
  ])('reads an offset of %j as %d', (text, offset) => {
    expect(parsePageRequest({ offset: text }).offset).toBe(offset);
  });

  it.each([
    ['0', 0],
    ['-3', 0],
    ['1', 0],
    ['1.9', 0],
    ['2', 50],
    ['abc', 0],
    ['', 0],
    ['1e999', 9007199254740950],
    ['9007199254740991', 9007199254740950],
  ])('starts page %j at %d', (text, offset) => {
    expect(parsePageRequest({ page: text })).toEqual({ limit: 50, offset });
  });

  it('takes the last value of a repeated parameter', () => {
    expect(parsePageRequest(query('limit=10&limit=20'))).toEqual({ limit: 20, offset: 0 });
    expect(parsePageRequest(query('limit=10&limit=abc'))).toEqual({ limit: 50, offset: 0 });
    expect(parsePageRequest({ limit: [], offset: [], page: ['4', '2'] })).toEqual({ limit: 50, offset: 50 });
  });

  it('accepts values that are already numbers', () => {
    expect(parsePageRequest({ limit: 20, page: 2 })).toEqual({ limit: 20, offset: 20 });
    expect(parsePageRequest({ limit: Number.NaN, offset: Number.POSITIVE_INFINITY })).toEqual({
      limit: 50,
      offset: 0,
    });
  });

  it.each([
    ['an object', { limit: { $gt: 1 }, offset: { toString: () => '9' } }],
    ['null', { limit: null, offset: null, page: null }],
    ['arrays in arrays', { limit: [['9']], page: [['9']] }],
    ['a symbol', { limit: Symbol('9'), page: Symbol('9') }],
    ['a bigint', { limit: 9n, page: 9n }],
    ['a boolean', { limit: true, page: true }],
    ['no prototype', Object.assign(Object.create(null), { limit: Object.create(null) })],
  ])('treats %s as missing', (_, hostile) => {
    expect(parsePageRequest(hostile as Record<string, unknown>)).toEqual({ limit: 50, offset: 0 });
  });

  it('reads a long run of digits fast, whether it is a number or not', () => {
    const startedAt = performance.now();
    expect(parsePageRequest({ limit: `${'1'.repeat(1_000_000)}x`, offset: '1'.repeat(1_000_000) })).toEqual({
      limit: 50,
      offset: FAR,
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

/** A parameter and its meaning: a whole number, or not a number. */
interface Sent {
  readonly value: unknown;
  readonly means: bigint | 'no number';
}

const rubbish = fc.constantFrom(
  '',
  ' ',
  'abc',
  'NaN',
  'Infinity',
  '0x1f',
  '1_0',
  '--1',
  '1e',
  'e1',
  '1 1',
  '٣',
  '1;2',
);

const wholeNumber = fc.oneof(
  fc.bigInt({ min: -5n, max: 5n }),
  fc.bigInt({ min: 190n, max: 210n }),
  fc.bigInt({ min: 0n, max: 100_000n }),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);

/** Writes the same number in several ways. The meaning comes from the generator, not from parsing. */
const written = fc.tuple(wholeNumber, fc.nat({ max: 6 })).map(([n, style]): Sent => {
  const fraction = n >= 0n ? '.75' : '.00';
  const styles = [
    `${n}`,
    ` ${n} `,
    `${n}.`,
    `${n}${fraction}`,
    `${n}e0`,
    `${n}00E-2`,
    n >= 0n ? `+00${n}` : `${n}`,
  ];
  return { value: styles[style], means: n };
});

const sent: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 4, arbitrary: written },
  { weight: 1, arbitrary: rubbish.map((value): Sent => ({ value, means: 'no number' })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(rubbish, written)
      .map(([first, { value, means }]): Sent => ({ value: [first, value], means })),
  },
);

const queries = fc.record({ limit: sent, pageSize: sent, offset: sent, page: sent }, { requiredKeys: [] });

/** The rules of contract §2.1 and §2.2, implemented naively with integers of any size. */
function expectedRequest(request: { readonly [key in 'limit' | 'pageSize' | 'offset' | 'page']?: Sent }) {
  let size = meaning(request.pageSize === undefined ? request.limit : request.pageSize, 50n);
  if (size < 1n) size = 1n;
  if (size > 200n) size = 200n;

  let offset = meaning(request.offset, 0n);
  if (request.offset === undefined) offset = (meaning(request.page, 1n) - 1n) * size;
  if (offset < 0n) offset = 0n;
  if (offset > BigInt(FAR)) offset = request.offset ? BigInt(FAR) : (BigInt(FAR) / size) * size;
  return { limit: Number(size), offset: Number(offset) };
}

function meaning(sent: Sent | undefined, fallback: bigint): bigint {
  return sent === undefined || sent.means === 'no number' ? fallback : sent.means;
}

describe('parsePageRequest, for any query,', () => {
  it('follows contract §2', () => {
    fc.assert(
      fc.property(queries, (request) => {
        const raw = Object.fromEntries(Object.entries(request).map(([key, { value }]) => [key, value]));
        expect(parsePageRequest(raw)).toEqual(expectedRequest(request));
      }),
      { numRuns: 20_000 },
    );
  });

  it('returns a valid page', () => {
    const anything = fc.oneof(fc.string(), fc.double().map(String), fc.anything());
    const hostile = fc.record(
      { limit: anything, pageSize: anything, offset: anything, page: anything },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(hostile, (raw) => {
        const { limit, offset } = parsePageRequest(raw);
        expect(Number.isInteger(limit) && limit >= 1 && limit <= PAGE_SIZE_MAX).toBe(true);
        expect(Number.isSafeInteger(offset) && offset >= 0 && !Object.is(offset, -0)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it('falls back to the default size', () => {
    expect(parsePageRequest({}).limit).toBe(PAGE_SIZE_DEFAULT);
  });
});
