import { createHash } from 'node:crypto';
import type { Role } from '@counterfoil/kernel';

/** A key as its owner sees it afterwards: everything but the key. */
export interface ApiKey {
  readonly id: number;
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
