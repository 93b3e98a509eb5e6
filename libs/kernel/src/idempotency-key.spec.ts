import fc from 'fast-check';
import { fingerprintOf, parseIdempotencyKey } from './idempotency-key';

describe('parseIdempotencyKey (contract §9.1)', () => {
  it.each([
    ['one character', 'a'],
    ['a space', 'a b'],
    ['255 characters', 'k'.repeat(255)],
    ['every printable character', Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('')],
    ['zero', '0'],
    ['a name that objects have by nature', '__proto__'],
  ])('accepts %s', (_, key) => {
    expect(parseIdempotencyKey([key])).toBe(key);
  });

  it('keeps quotes as part of the key', () => {
    expect(parseIdempotencyKey(['"a"'])).toBe('"a"');
  });

  it.each([
    ['empty', ['']],
    ['256 characters', ['k'.repeat(256)]],
    ['non-ASCII', ['clé']],
    ['Hebrew', ['מפתח']],
    ['non-ASCII as the bytes of UTF-8', ['cl\u00c3\u00a9']],
    ['a tab', ['a\tb']],
    ['a line break', ['a\nb']],
    ['a line break at its end', ['a\n']],
    ['a NUL', ['a\0']],
    ['DEL', ['a\u007f']],
    ['two values', ['a', 'b']],
    ['the same value twice', ['a', 'a']],
    ['two values, one of them empty', ['', 'a']],
  ])('refuses %s', (_, values) => {
    expect(() => parseIdempotencyKey(values)).toThrow(
      expect.objectContaining({ code: 'INVALID_IDEMPOTENCY_KEY' }),
    );
  });

  it('returns null without the header', () => {
    expect(parseIdempotencyKey([])).toBeNull();
  });
});

const of = (json: string) => fingerprintOf('TAX_INVOICE', JSON.parse(json)).toString('hex');

describe('fingerprintOf ignores', () => {
  it.each([
    ['white space', '{"a":[1,2],"b":{"c":null}}', ' {\n"a" : [ 1 ,\t2 ], "b": { "c" : null } } '],
    ['the order of keys', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    [
      'the order of keys further in',
      '{"x":[{"a":1,"b":{"c":1,"d":2}}]}',
      '{"x":[{"b":{"d":2,"c":1},"a":1}]}',
    ],
    ['1.0 and 1', '{"a":1.0}', '{"a":1}'],
    ['1e0 and 1', '{"a":1e0}', '{"a":1}'],
    ['100 and 1E2', '{"a":100}', '{"a":1E2}'],
    ['0.1 and 1e-1', '{"a":0.1}', '{"a":1e-1}'],
    ['-0 and 0', '{"a":-0}', '{"a":0}'],
    ['an escaped letter', '{"a":"\\u00e9"}', '{"a":"é"}'],
    ['an escaped letter of a key', '{"\\u0061":1}', '{"a":1}'],
    ['an escaped slash', '{"a":"\\/"}', '{"a":"/"}'],
    ['a surrogate pair escaped', '{"a":"\\ud83d\\ude00"}', '{"a":"😀"}'],
    ['the last of two equal keys', '{"a":1,"a":2}', '{"a":2}'],
    ['keys that look like numbers', '{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
  ])('%s', (_, one, other) => {
    expect(of(one)).toBe(of(other));
  });
});

describe('fingerprintOf distinguishes', () => {
  it.each([
    ['an absent field and null', '{}', '{"a":null}'],
    ['null and empty text', '{"a":null}', '{"a":""}'],
    ['null and nothing in a list', '{"a":[null]}', '{"a":[]}'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['true and its text', '{"a":true}', '{"a":"true"}'],
    ['true and 1', '{"a":true}', '{"a":1}'],
    ['false and 0', '{"a":false}', '{"a":0}'],
    ['an empty list and an empty object', '{"a":[]}', '{"a":{}}'],
    ['a list and an object of its positions', '{"a":["x"]}', '{"a":{"0":"x"}}'],
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['upper case', '{"a":"X"}', '{"a":"x"}'],
    ['a space in a text', '{"a":"x"}', '{"a":"x "}'],
    ['a letter composed in another way', '{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
    ['an unknown field', '{"a":1}', '{"a":1,"unknown":1}'],
    ['a field further in', '{"a":{"b":1}}', '{"b":1,"a":{}}'],
    ['text that looks like JSON', '{"a":"1,\\"b\\":2"}', '{"a":"1","b":"2"}'],
    ['a comma within a key', '{"a,b":1}', '{"a":1,"b":1}'],
    ['agorot', '{"a":0.1}', '{"a":0.11}'],
    ['a number too large to be read and null', '{"a":1e999}', '{"a":null}'],
    ['numbers too large to be read of either sign', '{"a":1e999}', '{"a":-1e999}'],
  ])('%s', (_, one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  it('the call', () => {
    const body = { entityId: 1 };
    const prints = ['TAX_INVOICE', 'ORDER', 'charges'].map((call) =>
      fingerprintOf(call, body).toString('hex'),
    );
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe('fingerprintOf', () => {
  it('returns 32 bytes, also without a body', () => {
    expect(fingerprintOf('ORDER', {})).toHaveLength(32);
    expect(fingerprintOf('ORDER', undefined)).toHaveLength(32);
  });

  it('is equal exactly for equal values, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const text = JSON.stringify(one);
        expect(of(text)).toBe(of(JSON.stringify(shuffled(one))));
        const equal = isEqual(JSON.parse(text), JSON.parse(JSON.stringify(other)));
        expect(of(text) === of(JSON.stringify(other))).toBe(equal);
      }),
      { numRuns: 500 },
    );
  });
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, child]) => [key, shuffled(child)]));
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
