import { createHmac, hkdfSync } from 'node:crypto';
import { Clock } from '@counterfoil/kernel';
import { testConfig } from '@counterfoil/test-harness';
import { FileLinks, type LinkQuery } from './file-links';

class SetClock extends Clock {
  constructor(public at: number) {
    super();
  }

  override now(): Date {
    return new Date(this.at);
  }
}

const START = Date.parse('2026-11-22T10:00:01Z');
const HOUR_MS = 3_600_000;
const KEY = 'a-secret-key-of-the-test-with-32-characters';
const FILE = { id: 7, sha256: '0123456789abcdef'.repeat(4) };

function given(env: Readonly<Record<string, string>> = {}): { links: FileLinks; clock: SetClock } {
  const clock = new SetClock(START);
  return { links: new FileLinks(testConfig('postgres://unused/x', env), clock), clock };
}

const queryOf = (url: string): Record<'content' | 'expires' | 'signature', string> => {
  const { searchParams } = new URL(url);
  const of = (name: string) => searchParams.get(name)!;
  return { content: of('content'), expires: of('expires'), signature: of('signature') };
};

const opens = (links: FileLinks, id: number, query: LinkQuery): boolean => links.read(id, query) !== null;

describe('a link to a file', () => {
  it('is absolute, below PUBLIC_URL and its path', () => {
    const { links } = given({ PUBLIC_URL: 'https://books.example/api/' });
    expect(links.urlOf(FILE)).toMatch(
      /^https:\/\/books\.example\/api\/files\/7\/content\?content=0123456789abcdef&expires=\d+&signature=[\w-]{43}$/,
    );
  });

  it('opens its file for at least an hour, and little longer', () => {
    const { links, clock } = given();
    const query = queryOf(links.urlOf(FILE));
    clock.at = START + HOUR_MS - 1;
    expect(opens(links, 7, query)).toBe(true);
    clock.at = START + HOUR_MS + 300_000;
    expect(opens(links, 7, query)).toBe(false);
  });

  it.each([
    ['2s', 2_000, 3_000],
    ['10m', 600_000, 650_000],
    ['7d', 7 * 24 * HOUR_MS, 7 * 24 * HOUR_MS + 300_000],
  ])('lives for FILE_LINK_TTL=%s', (ttl, atLeastMs, lessThanMs) => {
    const { links, clock } = given({ FILE_LINK_TTL: ttl });
    const query = queryOf(links.urlOf(FILE));
    clock.at = START + atLeastMs - 1;
    expect(opens(links, 7, query)).toBe(true);
    clock.at = START + lessThanMs;
    expect(opens(links, 7, query)).toBe(false);
  });

  it('is the same if it is requested again soon', () => {
    const { links, clock } = given();
    const url = links.urlOf(FILE);
    clock.at += 240_000;
    expect(links.urlOf(FILE)).toBe(url);
    clock.at += 300_000;
    expect(links.urlOf(FILE)).not.toBe(url);
  });

  it('is the same in all processes with the same SECRETS_KEY, and valid in no other', () => {
    const query = queryOf(given().links.urlOf(FILE));
    expect(opens(given().links, 7, query)).toBe(true);
    const { links } = given({ SECRETS_KEY: 'another-secret-key-of-32-characters' });
    expect(opens(links, 7, query)).toBe(false);
  });

  const { links } = given();
  const { content, expires, signature } = queryOf(links.urlOf(FILE));
  const last = signature.at(-1)!;
  it.each<[string, number, LinkQuery]>([
    ['of other content', 7, { content: content.replace('0', '1'), expires, signature }],
    ['without a content', 7, { expires, signature }],
    ['with two contents', 7, { content: [content, content], expires, signature }],
    ['of another file', 8, { content, expires, signature }],
    ['that says to live longer', 7, { content, expires: `${Number(expires) + 1}`, signature }],
    ['whose time is written otherwise', 7, { content, expires: `0${expires}`, signature }],
    ['whose time is no number', 7, { content, expires: `${expires}.0`, signature }],
    ['without a time', 7, { content, signature }],
    ['without a signature', 7, { content, expires }],
    ['with an empty signature', 7, { content, expires, signature: '' }],
    ['with a longer signature', 7, { content, expires, signature: `${signature}A` }],
    ['with a shorter signature', 7, { content, expires, signature: signature.slice(0, -1) }],
    [
      'with another signature',
      7,
      { content, expires, signature: `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}` },
    ],
    [
      'with other text for the same bytes',
      7,
      { content, expires, signature: signature.slice(0, -1) + next(last) },
    ],
    ['with two signatures', 7, { content, expires, signature: [signature, signature] }],
    ['with two times', 7, { content, expires: [expires], signature }],
  ])('%s opens nothing', (_, id, query) => {
    expect(opens(links, 7, { content, expires, signature })).toBe(true);
    expect(opens(links, id, query)).toBe(false);
  });

  it('is cheap enough for lists of 200', () => {
    const started = performance.now();
    for (let id = 1; id <= 20_000; id++) links.urlOf({ ...FILE, id });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('the file of a link', () => {
  const createdAt = new Date(START);
  const { links } = given();

  it('is the file that the link was created for, not another with the same id after a restore', () => {
    const link = links.read(7, queryOf(links.urlOf(FILE)))!;
    expect(link.id).toBe(7);
    expect(link.isOf({ ...FILE, createdAt })).toBe(true);
    expect(link.isOf({ sha256: 'f'.repeat(64), createdAt })).toBe(false);
    expect(links.urlOf({ id: 7, sha256: 'f'.repeat(64) })).not.toBe(links.urlOf(FILE));
  });

  it('is one older than the link, if an earlier version created the link without content', () => {
    const expires = String(START / 1000 - 1 + 3600 + 300);
    const key = Buffer.from(hkdfSync('sha256', KEY, '', 'counterfoil/file-links', 32));
    const signature = createHmac('sha256', key).update(`7:${expires}`).digest('base64url');
    const link = given({ SECRETS_KEY: KEY }).links.read(7, { expires, signature })!;
    expect(link.isOf({ ...FILE, createdAt: new Date(START - 1000) })).toBe(true);
    expect(link.isOf({ ...FILE, createdAt: new Date(START - 999) })).toBe(false);
    expect(given({ SECRETS_KEY: KEY }).links.read(8, { expires, signature })).toBeNull();
  });
});

/** The next letter of base64url, which differs only in bits that decoding discards. */
function next(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
