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

function given(env: Readonly<Record<string, string>> = {}): { links: FileLinks; clock: SetClock } {
  const clock = new SetClock(START);
  return { links: new FileLinks(testConfig('postgres://unused/x', env), clock), clock };
}

const queryOf = (url: string): { expires: string; signature: string } => {
  const { searchParams } = new URL(url);
  return { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
};

describe('a link to a file', () => {
  it('is absolute, under PUBLIC_URL with its path', () => {
    const { links } = given({ PUBLIC_URL: 'https://books.example/api/' });
    expect(links.urlOf(7)).toMatch(
      /^https:\/\/books\.example\/api\/files\/7\/content\?expires=\d+&signature=[\w-]{43}$/,
    );
  });

  it('opens that file for an hour at least, and little longer', () => {
    const { links, clock } = given();
    const query = queryOf(links.urlOf(7));
    clock.at = START + HOUR_MS - 1;
    expect(links.opens(7, query)).toBe(true);
    clock.at = START + HOUR_MS + 300_000;
    expect(links.opens(7, query)).toBe(false);
  });

  it.each([
    ['2s', 2_000, 3_000],
    ['10m', 600_000, 650_000],
    ['7d', 7 * 24 * HOUR_MS, 7 * 24 * HOUR_MS + 300_000],
  ])('lives for FILE_LINK_TTL=%s', (ttl, atLeastMs, lessThanMs) => {
    const { links, clock } = given({ FILE_LINK_TTL: ttl });
    const query = queryOf(links.urlOf(7));
    clock.at = START + atLeastMs - 1;
    expect(links.opens(7, query)).toBe(true);
    clock.at = START + lessThanMs;
    expect(links.opens(7, query)).toBe(false);
  });

  it('is the same when it is asked for again soon', () => {
    const { links, clock } = given();
    const url = links.urlOf(7);
    clock.at += 240_000;
    expect(links.urlOf(7)).toBe(url);
    clock.at += 300_000;
    expect(links.urlOf(7)).not.toBe(url);
  });

  it('is that of every process with the same SECRETS_KEY, and of no other', () => {
    const query = queryOf(given().links.urlOf(7));
    expect(given().links.opens(7, query)).toBe(true);
    expect(given({ SECRETS_KEY: 'another-secret-key-of-32-characters' }).links.opens(7, query)).toBe(false);
  });

  const { links } = given();
  const { expires, signature } = queryOf(links.urlOf(7));
  const last = signature.at(-1)!;
  it.each<[string, number, LinkQuery]>([
    ['of another file', 8, { expires, signature }],
    ['that says to live longer', 7, { expires: `${Number(expires) + 1}`, signature }],
    ['whose time is written otherwise', 7, { expires: `0${expires}`, signature }],
    ['whose time is no number', 7, { expires: `${expires}.0`, signature }],
    ['without a time', 7, { signature }],
    ['without a signature', 7, { expires }],
    ['with an empty signature', 7, { expires, signature: '' }],
    ['with a longer signature', 7, { expires, signature: `${signature}A` }],
    ['with a shorter signature', 7, { expires, signature: signature.slice(0, -1) }],
    [
      'with another signature',
      7,
      { expires, signature: `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}` },
    ],
    ['with other text for the same bytes', 7, { expires, signature: signature.slice(0, -1) + next(last) }],
    ['with two signatures', 7, { expires, signature: [signature, signature] }],
    ['with two times', 7, { expires: [expires], signature }],
  ])('%s opens nothing', (_, id, query) => {
    expect(links.opens(7, { expires, signature })).toBe(true);
    expect(links.opens(id, query)).toBe(false);
  });

  it('costs little enough for lists of 200', () => {
    const started = performance.now();
    for (let id = 1; id <= 20_000; id++) links.urlOf(id);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

/** The next letter of base64url, which differs in bits that are thrown away. */
function next(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
