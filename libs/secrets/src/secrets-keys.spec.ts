import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox } from './secret-box';
import { parseSecretsKeys, type SecretsKeys } from './secrets-keys';

const A = 'a'.repeat(32);
const B = 'b'.repeat(32);

function keysIn(text: string): SecretsKeys {
  const parsed = parseSecretsKeys(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.keys;
}

const faultOf = (text: string): string => {
  const parsed = parseSecretsKeys(text);
  return 'fault' in parsed ? parsed.fault : 'none';
};

describe('SECRETS_KEY', () => {
  it.each([
    ['a bare key', A],
    ['the output of openssl', randomBytes(32).toString('base64')],
    ['a key with a comma', `${A},short`],
    ['a long text with commas', 'one thing, another thing, and more things than that'],
    ['a short name and a colon, which is no id with a key', `a:${'b'.repeat(30)}`],
  ])('is bare: %s', (_, text) => {
    expect(keysIn(text)).toEqual([{ id: null, key: text }]);
  });

  it.each([
    ['commas', `2027:${A},2026:${B}`],
    ['commas and blanks', ` 2027:${A} , 2026:${B},`],
    ['line breaks', `2027:${A}\n2026:${B}\n`],
    ['line breaks of Windows', `2027:${A}\r\n\r\n2026:${B}`],
  ])('is a list with ids, separated by %s', (_, text) => {
    expect(keysIn(text)).toEqual([
      { id: '2027', key: A },
      { id: '2026', key: B },
    ]);
  });

  it('may have a comma in a key of a list with line breaks, and colons in every key', () => {
    expect(keysIn(`new:${A},${B}\nold:${B}:${A}`)).toEqual([
      { id: 'new', key: `${A},${B}` },
      { id: 'old', key: `${B}:${A}` },
    ]);
  });

  it.each([
    ['short', 'is too short'],
    ['id:short', 'is too short'],
    [`new:${A},${B}`, 'is a list whose element 2 does not begin with an id and a colon'],
    [`${A},old:${B}`, 'is a list whose element 1 does not begin with an id and a colon'],
    [`new:${A},old:short`, 'is a list whose key old is too short'],
    [`new:${A},new:${B}`, 'is a list with two keys new'],
    [`new:${A},old:${A}`, 'is a list that contains the key old twice'],
    [`${A},${B}`, 'is a list whose keys have no ids: write each as id:key'],
  ])('is refused: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('does not show a key in a fault', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 30, maxLength: 40 });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), hex, (id, key) => {
        for (const text of [`${id}:${key},${key}`, `${key}:${id},${id}`, `${id}:${key},other:${key}`]) {
          expect(faultOf(text)).not.toContain(key);
        }
      }),
    );
  });

  it('opens what an earlier version sealed with the whole text as its key', () => {
    const bare = fc
      .string({ minLength: 32, maxLength: 60 })
      .filter((text) => text.trim() === text && !text.includes(',') && !text.includes('\n'));
    const looksLikeList = fc.constantFrom(`abc:${A}`, `correct:horse-battery-staple-and-some-more-words`);
    fc.assert(
      fc.property(fc.oneof(bare, looksLikeList), (text) => {
        const sealed = new SecretBox([{ id: null, key: text }], 'test').seal('whsec_a');
        expect(new SecretBox(keysIn(text), 'test').open(sealed)).toBe('whsec_a');
      }),
    );
  });
});
