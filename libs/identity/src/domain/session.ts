import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@counterfoil/kernel';

/** Sessions of one key. A new one beyond them ends the oldest. */
export const SESSIONS_OF_KEY_MAX = 20;
export const USER_AGENT_LENGTH_MAX = 300;

/** A browser that is signed in with a key (contract §4.9). */
export interface Session {
  readonly id: number;
  readonly apiKeyId: number;
  readonly keyName: string | null;
  readonly role: Role;
  readonly userId: number;
  readonly userName: string;
  /** As the browser called itself. */
  readonly userAgent: string | null;
  /** The address of the caller that signed in. */
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** @returns 256 random bits as 43 characters */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How the token of a session is stored. It is random, so a fast hash keeps it as well as a slow one would. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A session never outlives its key. */
export function sessionExpiry(now: Date, lifetimeMs: number, keyExpiresAt: Date | null): Date {
  const end = new Date(now.getTime() + lifetimeMs);
  return keyExpiresAt !== null && keyExpiresAt < end ? keyExpiresAt : end;
}
