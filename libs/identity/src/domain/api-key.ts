import { createHash } from 'node:crypto';
import { parseNetwork, type Role, validationFailed } from '@counterfoil/kernel';

export const KEY_NAME_LENGTH_MAX = 100;
/** Addresses and networks of one key. */
export const ADDRESSES_MAX = 50;

/** The limits of a key. */
export interface KeyLimits {
  /** From this time on, the key is refused. Null: never. */
  readonly expiresAt: Date | null;
  /** The networks from which the key may be used. Null: any. */
  readonly addresses: readonly string[] | null;
}

/**
 * Returns the limits of a new key, with its addresses as networks.
 *
 * @throws AppError `VALIDATION_FAILED` if it has expired, or if an address is none
 */
export function newKeyLimits({ expiresAt, addresses }: KeyLimits, now: Date): KeyLimits {
  if (expiresAt !== null && expiresAt <= now)
    throw validationFailed([{ field: 'expiresAt', problem: 'must be in the future' }]);
  if (addresses === null) return { expiresAt, addresses };
  const networks = addresses.map(parseNetwork);
  const problems = networks.flatMap((network, at) =>
    network === null ? [{ field: `addresses[${at}]`, problem: NO_NETWORK }] : [],
  );
  if (addresses.length === 0)
    problems.push({ field: 'addresses', problem: 'must not be empty; omit it for any address' });
  if (problems.length > 0) throw validationFailed(problems);
  return { expiresAt, addresses: [...new Set(networks.filter((network) => network !== null))] };
}

const NO_NETWORK = 'must be an IP address or a network such as 192.0.2.0/24 or 2001:db8::/32';

/** Whether a key has expired. */
export function isExpired({ expiresAt }: Pick<KeyLimits, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A key as its owner sees it afterwards: everything but the key. */
export interface ApiKey extends KeyLimits {
  readonly id: number;
  readonly name: string | null;
  readonly role: Role;
  readonly userId: number;
  readonly userName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Every key starts so; what follows is random. */
export const API_KEY_PREFIX = 'sk_live_';

/** The fixed key of the demo company, made only by the embedded default (contract §4.6). */
export const DEMO_OWNER_KEY = 'sk_test_demo_owner';

/** Everybody knows the key from our documentation. */
export const isPublishedKey = (key: string): boolean => key === DEMO_OWNER_KEY;

/** How a key is stored. Keys are long and random, so a fast hash keeps them as well as a slow one would. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
