import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  /** The exact bytes that are sent, as text. */
  readonly body: string;
}

/** The headers of one attempt to deliver an event (contract §15.9), signed at the time of the attempt. */
export function deliveryHeaders(
  { id, type, body }: SignedEvent,
  secrets: readonly string[],
  at: Date,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Counterfoil-Webhooks/1',
    'service-signature': serviceSignature(secrets, timestamp, body),
    'service-event-id': id,
    'service-event-type': type,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardWebhooksSignature(secrets, id, timestamp, body),
  };
}

/**
 * Returns the value of `Service-Signature` (contract §15.8): `t=<unix seconds>,v1=<hex HMAC-SHA256 of
 * "<t>.<body>">`. The key is the whole secret as shown to the customer, including `whsec_`.
 *
 * @param secrets each adds a `v1`; there are several during a rotation
 * @param body the exact bytes that are sent
 */
export function serviceSignature(secrets: readonly string[], timestamp: number, body: string): string {
  const text = `${timestamp}.${body}`;
  const digests = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(text).digest('hex')}`);
  return [`t=${timestamp}`, ...digests].join();
}

/**
 * Returns the value of the Standard Webhooks header `webhook-signature`, so that existing verifiers work. Its
 * key is the decoded base64 after `whsec_`. The event id is also signed, and several signatures are separated
 * by spaces.
 */
export function standardWebhooksSignature(
  secrets: readonly string[],
  eventId: string,
  timestamp: number,
  body: string,
): string {
  const text = `${eventId}.${timestamp}.${body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`)
    .join(' ');
}
