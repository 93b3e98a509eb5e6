import { randomBytes } from 'node:crypto';

/** Every type of event, later additions included. */
export const ALL_EVENTS = '*';
/** Endpoints that a company may have (contract §15.1). */
export const ENDPOINTS_MAX = 50;
export const URL_LENGTH_MAX = 2048;
/** Secrets that can sign along with the present one. */
export const FORMER_SECRETS_MAX = 9;

/** A registered endpoint. Its secret is shown once, and is no part of this. */
export interface WebhookEndpoint {
  /** `we_…` */
  readonly id: string;
  readonly url: string;
  /** Event types, or `*`. */
  readonly events: readonly string[];
  readonly createdAt: Date;
  /** Since when nothing is sent to it, and its events wait; null when it is not paused. */
  readonly pausedAt: Date | null;
}

/** A secret that was changed and still signs along, so that receivers have time to change theirs. */
export interface FormerSecret {
  /** Encrypted. */
  readonly sealed: string;
  /** ISO 8601: from then on it signs no more. */
  readonly until: string;
}

/** An endpoint, named with the company that it is served for. */
export interface EndpointRef {
  readonly endpointId: string;
  readonly companyId: number;
}

/** A signing secret: `whsec_` and the base64 of 32 random bytes (contract §15.3). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function newEndpointId(): string {
  return `we_${randomBytes(12).toString('hex')}`;
}

/** Returns the fault of an endpoint's URL, or null. Whether its address may be reached is checked elsewhere. */
export function urlProblem(text: string): string | null {
  if (text.length > URL_LENGTH_MAX) return `must be at most ${URL_LENGTH_MAX} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'must start with https://';
  return url.username !== '' || url.password !== '' ? 'must not carry credentials' : null;
}
