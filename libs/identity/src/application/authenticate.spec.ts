import { Config } from '@counterfoil/config';
import { SetClock } from '@counterfoil/test-harness';
import { hashKey } from '../domain/api-key';
import { Authenticate } from './authenticate';
import { WAITING_OF_ADDRESS_MAX } from './doubtful-keys';
import { KeyUses } from './key-uses';
import { IdentityRepository } from './ports/identity.repository';
import { SessionRepository } from './ports/session.repository';

const ADDRESS = '192.0.2.1';
const FLOOD = 500;
const caller = { companyId: 1, userId: 2, apiKeyId: 3, role: 'owner' } as const;
const UNLIMITED = { revokedAt: null, expiresAt: null, addresses: null, suspendedAt: null };
const from = (doubtedAddress: string) => ({ address: doubtedAddress, doubtedAddress });
const rateLimited = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) };

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
