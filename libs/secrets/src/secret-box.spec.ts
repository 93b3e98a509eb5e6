import { SecretBox } from './secret-box';
import type { SecretsKeys } from './secrets-keys';

const BARE = { id: null, key: 'k'.repeat(32) };
const FORMER = { id: '2026', key: 'k'.repeat(32) };
const NEXT = { id: '2027', key: 'n'.repeat(32) };

const boxOf = (...keys: SecretsKeys) => new SecretBox(keys, 'test');

describe('SecretBox', () => {
  it('opens what it sealed, and seals differently each time', () => {
    const box = boxOf(BARE);
    const sealed = box.seal('whsec_סוד');
    expect(box.open(sealed)).toBe('whsec_סוד');
    expect(box.seal('whsec_סוד')).not.toBe(sealed);
    expect(sealed).not.toContain('whsec_');
  });

  it('opens what the first version has sealed', () => {
    const sealed = 'v1.ArWmeLJmqVXwMAGhisLmwfwIPA2O4qnb7ASSNUbDtPtd1KY';
    expect(boxOf(BARE).open(sealed)).toBe('whsec_a');
    expect(boxOf(NEXT, FORMER).open(sealed)).toBe('whsec_a');
  });

  it('does not open a secret with another key, for another purpose, or after a change', () => {
    const sealed = boxOf(BARE).seal('whsec_a');
    const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => boxOf(NEXT).open(sealed)).toThrow('no key of SECRETS_KEY opens');
    expect(() => new SecretBox([BARE], 'other').open(sealed)).toThrow('no key of SECRETS_KEY opens');
    expect(() => boxOf(BARE).open(altered)).toThrow('no key of SECRETS_KEY opens');
    expect(() => boxOf(BARE).open('v1.AAAA')).toThrow('no key of SECRETS_KEY opens');
    for (const text of ['whsec_a', 'v1.', 'v2.AAAA', 'v3.a.AAAA', 'v1.a.AAAA', '']) {
      expect(() => boxOf(BARE).open(text)).toThrow('not a sealed secret');
    }
  });

  it('names the missing key', () => {
    const sealed = boxOf(FORMER).seal('whsec_a');
    expect(() => boxOf(NEXT).open(sealed)).toThrow('it was sealed with the key 2026');
  });
});

describe('SecretBox with several keys', () => {
  it('seals with the first one, and opens with all of them, in any order', () => {
    const sealed = boxOf(NEXT, FORMER).seal('whsec_a');
    expect(sealed).toMatch(/^v2\.2027\./);
    expect(boxOf(NEXT).open(sealed)).toBe('whsec_a');
    expect(boxOf(FORMER, NEXT).open(sealed)).toBe('whsec_a');
    expect(boxOf(NEXT, FORMER).open(boxOf(FORMER).seal('whsec_b'))).toBe('whsec_b');
    expect(boxOf(NEXT, FORMER).open(boxOf(BARE).seal('whsec_c'))).toBe('whsec_c');
  });

  it('opens with a key that was given another id, or none', () => {
    const sealed = boxOf(FORMER).seal('whsec_a');
    expect(boxOf({ ...FORMER, id: 'renamed' }).open(sealed)).toBe('whsec_a');
    expect(boxOf(BARE).open(sealed)).toBe('whsec_a');
  });
});

describe('SecretBox.reseal', () => {
  const box = boxOf(NEXT, FORMER);

  it.each([
    ['a bare key', boxOf(BARE).seal('whsec_a')],
    ['a former key', boxOf(FORMER).seal('whsec_a')],
    ['another key of the same id', boxOf({ ...FORMER, id: '2027' }).seal('whsec_a')],
    ['the first key under another id', boxOf({ ...NEXT, id: 'renamed' }).seal('whsec_a')],
  ])('seals with the first key what was sealed with %s', (_, sealed) => {
    const resealed = box.reseal(sealed) ?? '';
    expect(resealed).toMatch(/^v2\.2027\./);
    expect(boxOf(NEXT).open(resealed)).toBe('whsec_a');
    expect(box.reseal(resealed)).toBeNull();
  });

  it('has nothing to do if the only key is bare, as in earlier versions', () => {
    expect(boxOf(BARE).reseal(boxOf(BARE).seal('whsec_a'))).toBeNull();
  });

  it('refuses what no key opens', () => {
    const strange = boxOf({ id: '2027', key: 'x'.repeat(32) }).seal('whsec_a');
    expect(() => box.reseal(strange)).toThrow('no key of SECRETS_KEY opens');
    expect(() => box.reseal('whsec_a')).toThrow('not a sealed secret');
  });
});
