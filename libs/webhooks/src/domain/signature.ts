import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/**
 * The value of `Service-Signature` (spec: Signature): `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`.
 * The key is the whole secret as it was shown, `whsec_` included (decisions §10).
 *
 * @param body the exact bytes that are sent
 */
export function serviceSignature(secret: string, timestamp: number, body: string): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/**
 * The value of the Standard Webhooks header `webhook-signature`, so that existing verifiers work. There the key
 * is what the base64 after `whsec_` stands for, and the event's id is signed along.
 */
export function standardWebhooksSignature(
  secret: string,
  eventId: string,
  timestamp: number,
  body: string,
): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
}
