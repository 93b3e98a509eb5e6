import { randomBytes } from 'node:crypto';

/** Every type of event, later additions included. */
export const ALL_EVENTS = '*';
/** Endpoints that a company may have (decisions §10). */
export const ENDPOINTS_MAX = 50;
export const URL_LENGTH_MAX = 2048;

/** A registered endpoint. Its secret is shown once, and is no part of this. */
export interface WebhookEndpoint {
  /** `we_…` */
  readonly id: string;
  readonly url: string;
  /** Event types, or `*`. */
  readonly events: readonly string[];
  readonly createdAt: Date;
}

/** A signing secret: `whsec_` and the base64 of 32 random bytes (decisions §10). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function newEndpointId(): string {
  return `we_${randomBytes(12).toString('hex')}`;
}

/** What is wrong with an endpoint's URL, or null. Whether its address may be reached is asked elsewhere. */
export function urlProblem(text: string): string | null {
  if (text.length > URL_LENGTH_MAX) return `must be at most ${URL_LENGTH_MAX} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'must start with https://';
  return url.username !== '' || url.password !== '' ? 'must not carry credentials' : null;
}
