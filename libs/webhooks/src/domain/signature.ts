import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/**
 * The value of `Service-Signature` (spec: Signature): `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`.
 * The key is the whole secret as it was shown, `whsec_` included (decisions §10).
 *
 * @param secrets each gives a `v1` of its own: there are several while a secret is being changed
 * @param body the exact bytes that are sent
 */
export function serviceSignature(secrets: readonly string[], timestamp: number, body: string): string {
  const text = `${timestamp}.${body}`;
  const digests = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(text).digest('hex')}`);
  return [`t=${timestamp}`, ...digests].join();
}

/**
 * The value of the Standard Webhooks header `webhook-signature`, so that existing verifiers work. There the key
 * is what the base64 after `whsec_` stands for, the event's id is signed along, and several signatures have a space
 * between them.
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
