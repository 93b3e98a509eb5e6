import type { WebhookEventData, WebhookEventType } from './event-types';
import { WebhookVerificationError } from './verification-error';

/** The envelope of an event. Only these four fields are checked. */
export interface WebhookEvent {
  /** The same for every endpoint and every attempt. Use it for deduplication. */
  readonly id: string;
  /** A newer service may send types that this version does not know. */
  readonly type: WebhookEventType | (string & Record<never, never>);
  /** Time of the event in Unix seconds. */
  readonly created: number;
  readonly data: WebhookEventData;
}

/** @throws WebhookVerificationError `malformed_body` */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = parseJson(body);
  if (isEvent(value)) return value;
  throw new WebhookVerificationError(
    'malformed_body',
    'The signature is valid, but the body is not a JSON object with id, type, created and data.',
  );
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false;
  const { id, type, created, data } = value;
  const named = typeof id === 'string' && id !== '' && typeof type === 'string' && type !== '';
  return named && Number.isFinite(created) && isObject(data);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
