import { createHmac, hkdfSync } from 'node:crypto';
import { AppError } from '@counterfoil/kernel';
import type { SecretsKeys } from '@counterfoil/secrets';
import fc from 'fast-check';
import { Cursors } from './cursor';

const KEY = 'k'.repeat(32);
const KEYS: SecretsKeys = [{ id: null, key: KEY }];
const SCOPE = 'documents:7:type=QUOTE';
const POSITION = '2026-11-21T10:00:00.123456Z,4711';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const cursors = new Cursors(KEYS);

/** Any text, including lone surrogates. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => {
  return String.fromCharCode(...units);
});
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  anyText,
  fc.constantFrom('', '"', '\\', '\0'),
);

function expectRefused(cursor: unknown, scope = SCOPE, reader = cursors): void {
  let answer: unknown;
  try {
    answer = reader.read(scope, cursor);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'INVALID_CURSOR' });
    return;
  }
  throw new Error(`${JSON.stringify(cursor)} was read as ${JSON.stringify(answer)}`);
}

/** Builds a cursor by hand: version, HMAC of version, scope and position, position. */
function byHand({
  version = 1,
  purpose = 'counterfoil/cursors',
  scope = SCOPE,
  position = POSITION,
}): string {
  const key = Buffer.from(hkdfSync('sha256', KEY, '', purpose, 32));
  const signed = [Buffer.of(version), JSON.stringify(scope), JSON.stringify(position)] as const;
  const hmac = createHmac('sha256', key);
  for (const part of signed) hmac.update(part);
  return Buffer.concat([signed[0], hmac.digest(), Buffer.from(signed[2])]).toString('base64url');
}

describe('a cursor', () => {
  it('reads back the position for its scope, also in another process', () => {
    const cursor = cursors.issue(SCOPE, POSITION);
    expect(cursors.read(SCOPE, cursor)).toBe(POSITION);
    expect(new Cursors(KEYS).read(SCOPE, cursor)).toBe(POSITION);
  });

  it('is the same text each time, so that an empty page can return the cursor it received', () => {
    expect(cursors.issue(SCOPE, POSITION)).toBe(cursors.issue(SCOPE, POSITION));
  });

  it('keeps its format across releases, because consumers store it', () => {
    expect(cursors.issue(SCOPE, POSITION)).toBe(byHand({}));
  });

  it('reads back any position in any scope, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(texts, texts, (scope, position) => {
        const cursor = cursors.issue(scope, position);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursors.read(scope, cursor)).toBe(position);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a cursor during a rotation of SECRETS_KEY', () => {
  const next = { id: 'next', key: 'n'.repeat(32) };
  const former = { id: 'former', key: KEY };
  const both = new Cursors([next, former]);

  it('is signed with the first key, and read with any of them', () => {
    const [old, current] = [cursors.issue(SCOPE, POSITION), both.issue(SCOPE, POSITION)];
    expect(current).toBe(new Cursors([next]).issue(SCOPE, POSITION));
    expect(both.read(SCOPE, old)).toBe(POSITION);
    expect(both.read(SCOPE, current)).toBe(POSITION);
    // A process that has not been restarted yet has the new key as its second one.
    expect(new Cursors([former, next]).read(SCOPE, current)).toBe(POSITION);
  });

  it('is refused once its key is gone, unless it was renewed before', () => {
    const old = cursors.issue(SCOPE, POSITION);
    const renewed = both.renew(SCOPE, old);
    expectRefused(old, SCOPE, new Cursors([next]));
    expect(new Cursors([next]).read(SCOPE, renewed)).toBe(POSITION);
    expect(both.renew(SCOPE, renewed)).toBe(renewed);
    expect(() => both.renew('another scope', old)).toThrow(AppError);
  });
});

describe('Cursors.read refuses with INVALID_CURSOR (contract §10.3)', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 42],
    ['true', true],
    ['a repeated parameter', [cursors.issue(SCOPE, POSITION)]],
    ['an object', { toString: () => cursors.issue(SCOPE, POSITION) }],
    ['a text object', Object(cursors.issue(SCOPE, POSITION))],
    ['bytes', Buffer.from(cursors.issue(SCOPE, POSITION))],
    ['the empty text', ''],
    ['blanks', '   '],
    ['a word', 'yesterday'],
    ['the position', POSITION],
    ['text outside the alphabet', 'סמן'],
    ['half a surrogate pair', '\ud800'],
    ['a very long text', 'A'.repeat(1_000_000)],
  ])('%s', (_, sent) => {
    expectRefused(sent);
  });

  it.each([
    ['another company', 'documents:8:type=QUOTE'],
    ['a company whose number begins alike', 'documents:77:type=QUOTE'],
    ['another listing', 'expenses:7:type=QUOTE'],
    ['another filter', 'documents:7:type=ORDER'],
    ['no filter', 'documents:7:'],
    ['one more filter', 'documents:7:type=QUOTE&status=OPEN'],
    ['another case', 'DOCUMENTS:7:type=QUOTE'],
    ['nothing', ''],
  ])('a cursor sent to %s', (_, scope) => {
    expectRefused(cursors.issue(SCOPE, POSITION), scope);
  });

  it('a cursor signed with another SECRETS_KEY, or for another purpose', () => {
    expectRefused(new Cursors([{ id: null, key: 'x'.repeat(32) }]).issue(SCOPE, POSITION));
    expectRefused(byHand({ purpose: 'counterfoil/files' }));
    expectRefused(byHand({ purpose: '' }));
  });

  it('a cursor of another version, whether its signature is valid or not', () => {
    for (const version of [0, 2, 49, 255]) {
      expectRefused(byHand({ version }));
      const bytes = Buffer.from(cursors.issue(SCOPE, POSITION), 'base64url');
      expectRefused(Buffer.concat([Buffer.of(version), bytes.subarray(1)]).toString('base64url'));
    }
  });

  it('a cursor truncated at any position, at either end', () => {
    const cursor = cursors.issue(SCOPE, POSITION);
    for (let length = 0; length < cursor.length; length += 1) {
      expectRefused(cursor.slice(0, length));
      expectRefused(cursor.slice(cursor.length - length));
    }
  });

  it('a cursor with characters added anywhere, even those that decoders skip', () => {
    const cursor = cursors.issue(SCOPE, POSITION);
    for (const more of ['A', '=', '==', ' ', '\n', '\t', '\0', '.', '%', '+', '/', '\u00a0', 'א', cursor]) {
      expectRefused(more + cursor);
      expectRefused(cursor + more);
      expectRefused(cursor.slice(0, 20) + more + cursor.slice(20));
    }
  });

  it('the same bytes in the other alphabet, with padding, or in hexadecimal', () => {
    const bytes = Buffer.from(cursors.issue(SCOPE, 'any?>~~~'), 'base64url');
    expect(cursors.read(SCOPE, bytes.toString('base64url'))).toBe('any?>~~~');
    expect(bytes.toString('base64')).not.toBe(bytes.toString('base64url'));
    expectRefused(bytes.toString('base64'));
    expectRefused(bytes.toString('hex'));
  });

  // One length of position for each number of unused bits in the last character: 0, 2 and 4.
  it.each(['12', '123', '1234'])('position %j with any one bit flipped in its bytes', (position) => {
    const bytes = Buffer.from(cursors.issue(SCOPE, position), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expectRefused(flipped.toString('base64url'));
    }
  });

  it.each(['12', '123', '1234'])('position %j with any one bit flipped in its text', (position) => {
    const text = Buffer.from(cursors.issue(SCOPE, position), 'latin1');
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const flipped = Buffer.from(text);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expectRefused(flipped.toString('latin1'));
    }
  });

  it.each(['12', '123', '1234'])('position %j with any character replaced by any other', (position) => {
    const cursor = cursors.issue(SCOPE, position);
    for (const [at, present] of [...cursor].entries()) {
      for (const other of ALPHABET) {
        if (other !== present) expectRefused(cursor.slice(0, at) + other + cursor.slice(at + 1));
      }
    }
  });

  it('changed unused bits of the last character', () => {
    const cursor = cursors.issue(SCOPE, '12');
    const last = cursor.slice(-1);
    const twins = [...ALPHABET].filter(
      (other) =>
        other !== last &&
        Buffer.from(cursor.slice(0, -1) + other, 'base64url').equals(Buffer.from(cursor, 'base64url')),
    );
    expect(twins.length).toBeGreaterThan(0);
    for (const twin of twins) expectRefused(cursor.slice(0, -1) + twin);
  });

  it('any two characters swapped', () => {
    const cursor = cursors.issue(SCOPE, POSITION);
    const place = fc.nat({ max: cursor.length - 1 });
    fc.assert(
      fc.property(place, place, (one, other) => {
        const characters = [...cursor];
        [characters[one], characters[other]] = [characters[other] ?? '', characters[one] ?? ''];
        const swapped = characters.join('');
        if (swapped !== cursor) expectRefused(swapped);
      }),
      { numRuns: 2_000 },
    );
  });

  it('the signature of one cursor on the position of another', () => {
    const [one, other] = [cursors.issue(SCOPE, '4711'), cursors.issue(SCOPE, '4712')];
    expectRefused(one.slice(0, 44) + other.slice(44));
    expect(cursors.read(SCOPE, one.slice(0, 44) + one.slice(44))).toBe('4711');
  });

  it('a cursor of any other scope, even if scope and position join to the same text', () => {
    fc.assert(
      fc.property(texts, texts, texts, (scope, middle, position) => {
        fc.pre(middle !== '');
        expectRefused(cursors.issue(scope, middle + position), scope + middle);
        expectRefused(cursors.issue(scope + middle, position), scope);
      }),
      { numRuns: 2_000 },
    );
  });

  it('any text', () => {
    const base64url = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 200 });
    fc.assert(
      fc.property(fc.oneof(texts, base64url, fc.anything()), (sent) => expectRefused(sent)),
      { numRuns: 5_000 },
    );
  });
});
