import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type DeliveryHeaders,
  parseSignature,
  type SignatureHeader,
  signatureFrom,
} from './signature-header';
import { WebhookVerificationError } from './verification-error';
import { parseEvent, type WebhookEvent } from './webhook-event';

const TOLERANCE_SECONDS = 300;

/**
 * The received webhook, and the secrets to check it against. Pass `headers` or `signature`; if both are
 * given, `signature` is used.
 */
export interface WebhookDelivery {
  /** The body as received. JSON that was parsed and serialised again does not match the signature. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** All headers of the request. */
  readonly headers?: DeliveryHeaders | null | undefined;
  /** The value of `Service-Signature`, instead of `headers`. */
  readonly signature?: string | readonly string[] | null | undefined;
  /**
   * The endpoint's secret, including `whsec_`. During a rotation, a list of secrets, one of which must match.
   * Empty values are ignored, so an unset variable may be passed for a missing secret.
   */
  readonly secret: string | undefined | readonly (string | undefined)[];
  /** Maximum difference between the timestamp of the signature and now, in either direction. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time, as a Date or in milliseconds. Default: the time of this machine. */
  readonly now?: Date | number | undefined;
}

/**
 * Checks that a delivery was signed with the secret and recently, and parses it.
 *
 * It does not detect duplicate or outdated events. The receiver must do that with `id` and the times in the
 * data.
 *
 * @throws WebhookVerificationError and no other error; its `reason` identifies the problem
 */
export function verifyWebhook(delivery: WebhookDelivery): WebhookEvent {
  const body = bytesOf(delivery.body);
  const secrets = secretsOf(delivery.secret);
  const signature = parseSignature(delivery.signature ?? signatureFrom(delivery.headers));
  if (!secrets.some((secret) => isSignedWith(secret, signature, body))) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'No signature matches. Is the body as it arrived, and the secret that of this endpoint, whsec_ included?',
    );
  }
  const { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = delivery;
  const age = Math.floor(Number(now) / 1000) - Number(signature.timestamp);
  // Negated, so that a tolerance or a time that is NaN refuses every delivery.
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The signature is ${age} seconds old, and ${toleranceSeconds} are allowed. Is this machine's clock right?`,
    );
  }
  return parseEvent(body);
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  const given =
    typeof body === 'object' && body !== null ? 'an object, perhaps JSON already parsed' : typeof body;
  throw new WebhookVerificationError(
    'body_not_raw',
    `The body must be the bytes as they arrived, and is ${given}. Read it before any parser does: ` +
      "express.raw({ type: 'application/json' }) in Express, request.text() where there is Fetch.",
  );
}

/** Removes empty secrets, because anyone could sign with an empty key. */
function secretsOf(secret: unknown): readonly string[] {
  const secrets = (Array.isArray(secret) ? secret : [secret]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  if (secrets.length > 0) return secrets;
  throw new WebhookVerificationError('missing_secret', 'There is no secret to check the signature with.');
}

/** Compares in constant time. */
function isSignedWith(secret: string, { timestamp, digests }: SignatureHeader, body: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return digests.some((digest) => timingSafeEqual(digest, expected));
}
