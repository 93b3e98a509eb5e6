import { testConfig } from '@counterfoil/test-harness';
import { ShareLinks } from './share-links';

const FORMER = 'a-former-secret-key-of-32-characters';
const NEXT = 'the-next-secret-key-of-32-characters';
const KEY = { companyId: 7, publicId: '6f1d7c52-0b0e-4c86-9a5e-2f4d8a1b7c90' };

const links = (env: Readonly<Record<string, string>> = {}) =>
  new ShareLinks(testConfig('postgres://unused/x', { SECRETS_KEY: FORMER, ...env }));
const tokenOf = (url: string) => url.split('/d/')[1] ?? '';

describe('a link to a shared document', () => {
  const token = tokenOf(links().urlOf(KEY));

  it('is below PUBLIC_URL and its path, and the same each time', () => {
    const { urlOf } = { urlOf: () => links({ PUBLIC_URL: 'https://books.example/api/' }).urlOf(KEY) };
    expect(urlOf()).toMatch(/^https:\/\/books\.example\/api\/d\/[\w-]{74}$/);
    expect(urlOf()).toBe(urlOf());
  });

  it.each([1, 7, 281_474_976_710_655])('opens the share that it names, of company %i', (companyId) => {
    const key = { ...KEY, companyId };
    expect(links().read(tokenOf(links().urlOf(key)))).toEqual(key);
  });

  it('is another one for each share and each company', () => {
    const others = [
      { ...KEY, companyId: 8 },
      { ...KEY, publicId: KEY.publicId.replace('6', '7') },
    ];
    expect(new Set([KEY, ...others].map((key) => links().urlOf(key))).size).toBe(3);
  });

  it('stays valid while its key is in the list, and not without it', () => {
    const rotated = links({ SECRETS_KEY: `2027:${NEXT},2026:${FORMER}` });
    expect(rotated.read(token)).toEqual(KEY);
    expect(tokenOf(rotated.urlOf(KEY))).not.toBe(token);
    expect(links({ SECRETS_KEY: `2027:${NEXT}` }).read(token)).toBeNull();
  });

  it.each([
    ['nothing', () => ''],
    ['a word', () => 'none'],
    ['another length', () => `${token}AA`],
    ['a part of it', () => token.slice(0, -1)],
    ['only what it names', () => token.slice(0, 31)],
    ['padding', () => `${token}==`],
    ['another alphabet', () => token.replaceAll('-', '+').replaceAll('_', '/') + ' '],
    ['other text for the same bytes', () => `${token.slice(0, -1)}${next(token.at(-1)!)}`],
  ])('does not open with %s', (_, altered) => {
    expect(links().read(token)).toEqual(KEY);
    expect(links().read(altered())).toBeNull();
  });

  it('does not open after a change of any byte', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (const at of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 1;
      expect({ at, read: links().read(altered.toString('base64url')) }).toEqual({ at, read: null });
    }
  });
});

/** The next letter of base64url, which differs only in bits that decoding discards. */
function next(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
