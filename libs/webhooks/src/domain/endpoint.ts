import { parseUrl } from '@counterfoil/kernel';
import { randomBytes } from 'node:crypto';

/** All event types, including types that are added later. */
export const ALL_EVENTS = '*';
/** Maximum number of endpoints of a company (contract §15.1). */
export const ENDPOINTS_MAX = 50;
export const URL_LENGTH_MAX = 2048;
const SECRET_BYTES = 32;
/** Maximum number of previous secrets that still sign besides the current one. */
export const FORMER_SECRETS_MAX = 9;

/** A registered endpoint without its secret, which is returned only once. */
export interface WebhookEndpoint {
  /** `we_…` */
  readonly id: string;
  readonly url: string;
  /** Event types, or `*`. */
  readonly events: readonly string[];
  readonly createdAt: Date;
  /** The time since which the endpoint is paused and its events wait; null if it is not paused. */
  readonly pausedAt: Date | null;
}

/** A previous secret that still signs, so that receivers have time to change theirs. */
export interface FormerSecret {
  /** Encrypted. */
  readonly sealed: string;
  /** ISO 8601 time after which it no longer signs. */
  readonly until: string;
}

/** An endpoint and its company. */
export interface EndpointRef {
  readonly endpointId: string;
  readonly companyId: number;
}

/** A signing secret: `whsec_` and the base64 of 32 random bytes (contract §15.3). */
export function newSigningSecret(): string {
  return secretOf(randomBytes(SECRET_BYTES));
}

/** The text of a signing secret with these bytes. */
export function secretOf(key: Buffer): string {
  return `whsec_${key.toString('base64')}`;
}

export function newEndpointId(): string {
  return `we_${randomBytes(12).toString('hex')}`;
}

/**
 * Returns the problem with an endpoint's URL, or null. `WebhookSender.assertAllowed` checks the address
 * behind it.
 */
export function urlProblem(text: string): string | null {
  if (text.length > URL_LENGTH_MAX) return `must be at most ${URL_LENGTH_MAX} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  if (url.protocol !== 'https:') return 'must start with https://';
  return url.username !== '' || url.password !== '' ? 'must not carry credentials' : null;
}
