import { Config } from '@counterfoil/config';
import { SetClock } from '@counterfoil/test-harness';
import { DEMO_OWNER_KEY, hashKey } from '../domain/api-key';
import { hashToken } from '../domain/session';
import { Authenticate } from './authenticate';
import { WAITING_OF_ADDRESS_MAX } from './doubtful-keys';
import { KeyUses } from './key-uses';
import { IdentityRepository } from './ports/identity.repository';
import { SessionRepository, type StoredSession } from './ports/session.repository';

const ADDRESS = '192.0.2.1';
const FLOOD = 500;
const caller = { companyId: 1, userId: 2, apiKeyId: 3, role: 'owner' } as const;
const UNLIMITED = { revokedAt: null, expiresAt: null, addresses: null, suspendedAt: null };
const from = (doubtedAddress: string) => ({ address: doubtedAddress, doubtedAddress });
const rateLimited = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) };

describe('a session of the published key in production', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const token = 'token';
  const stored: StoredSession = {
    ...{ ...caller, ...UNLIMITED, keyHash: hashKey(DEMO_OWNER_KEY), lastUsedAt: null },
    ...{ sessionId: 4, tokenHash: hashToken(token), sessionExpiresAt: new Date('2026-03-02') },
  };
  const past = new Date('2026-02-01');
  let noted: number;

  const authenticate = (change: Partial<StoredSession>, isEnding: boolean, production = true) => {
    noted = 0;
    const find = () => Promise.resolve({ ...stored, ...change });
    const sessions = Object.assign(Object.create(SessionRepository.prototype) as SessionRepository, { find });
    const uses = Object.assign(Object.create(KeyUses.prototype) as KeyUses, { note: () => (noted += 1) });
    const config = { production, loopbackOnly: true } as Config;
    const identities = Object.create(IdentityRepository.prototype) as IdentityRepository;
    const clock = new SetClock();
    clock.set(now);
    return new Authenticate(config, identities, clock, uses, sessions)
      .session({ sessionId: 4, token }, {}, isEnding)
      .then(
        () => 'taken',
        (error: { code: string }) => error.code,
      );
  };

  it.each<[string, Partial<StoredSession>, string]>([
    ['as it is', {}, 'taken'],
    ['while its company is suspended', { suspendedAt: past }, 'taken'],
    ['from another address', { addresses: ['203.0.113.0/24'] }, 'taken'],
    ['after it expired', { sessionExpiresAt: past }, 'UNAUTHENTICATED'],
    ['after its key expired', { expiresAt: past }, 'UNAUTHENTICATED'],
    ['after its key was revoked', { revokedAt: past }, 'UNAUTHENTICATED'],
  ])('opens nothing %s, and ends itself unless it has ended', async (_, change, outcome) => {
    expect(await authenticate(change, false)).toBe('UNAUTHENTICATED');
    expect(await authenticate(change, true)).toBe(outcome);
    expect(noted).toBe(0);
  });

  it('uses its key when it ends itself where it opens something', async () => {
    expect(await authenticate({}, true, false)).toBe('taken');
    expect(noted).toBe(1);
    expect(await authenticate({ suspendedAt: past }, true, false)).toBe('taken');
    expect(noted).toBe(0);
  });
});

describe('from an address that has sent too many unknown keys', () => {
  let valid: Set<string>;
  let lookedUp: number;
  let authenticate: Authenticate;

  beforeEach(() => {
    valid = new Set(['mine', 'theirs']);
    lookedUp = 0;
    const clock = new SetClock();
    const identities = Object.assign(Object.create(IdentityRepository.prototype) as IdentityRepository, {
      findKey: (keyHash: Buffer) => {
        lookedUp += 1;
        const isValid = [...valid].some((key) => hashKey(key).equals(keyHash));
        return Promise.resolve(
          isValid ? { ...caller, ...UNLIMITED, keyHash, lastUsedAt: clock.now() } : null,
        );
      },
    });
    const config = Object.create(Config.prototype) as Config;
    const sessions = Object.create(SessionRepository.prototype) as SessionRepository;
    const uses = Object.assign(Object.create(KeyUses.prototype) as KeyUses, { note: () => undefined });
    authenticate = new Authenticate(config, identities, clock, uses, sessions);
  });

  const codeOf = (key: string) =>
    authenticate.execute(key, from(ADDRESS)).catch((error: { code: string }) => error.code);
  const flood = () => Array.from({ length: FLOOD }, (_, index) => codeOf(`unknown ${index}`));

  it('only so many keys are looked up, and those together', async () => {
    const answers = flood();
    expect(lookedUp).toBe(0);
    const codes = await Promise.all(answers);
    expect(lookedUp).toBe(WAITING_OF_ADDRESS_MAX);
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(WAITING_OF_ADDRESS_MAX);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(FLOOD - WAITING_OF_ADDRESS_MAX);
  });

  it('a key that was valid before is served at once, whatever else comes from there, until it is revoked', async () => {
    expect(await authenticate.execute('mine')).toEqual(caller);
    const answers = flood();
    expect(await authenticate.execute('mine', from(ADDRESS))).toEqual(caller);
    expect(lookedUp).toBe(2);
    valid.delete('mine');
    expect(await codeOf('mine')).toBe('UNAUTHENTICATED');
    await expect(authenticate.execute('mine', from(ADDRESS))).rejects.toMatchObject(rateLimited);
    await Promise.all(answers);
  });

  it('a valid key that was not seen before is served after a moment, and then at once', async () => {
    const answers = flood().slice(0, WAITING_OF_ADDRESS_MAX);
    await expect(authenticate.execute('mine', from(ADDRESS))).rejects.toMatchObject(rateLimited);
    // Other addresses have places of their own.
    expect(await authenticate.execute('theirs', from('192.0.2.2'))).toEqual(caller);
    await Promise.all(answers);
    expect(await authenticate.execute('mine', from(ADDRESS))).toEqual(caller);
    const again = flood();
    expect(await authenticate.execute('mine', from(ADDRESS))).toEqual(caller);
    await Promise.all(again);
  });
});
