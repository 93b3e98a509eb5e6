// Checks that a delivery comes from who holds the secret, and is not an old one sent again (spec: Signature).
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * @param {{ header: string | undefined, body: Buffer, secret: string, nowSeconds?: number }} delivery
 *   `header` is Service-Signature; `body` the bytes as they came, since JSON that was written anew does not match
 * @returns {string | null} what is wrong; null when the signature holds
 */
export function verifySignature({ header, body, secret, nowSeconds = Math.floor(Date.now() / 1000) }) {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  // There are two while a secret is being changed: either holds.
  const candidates = parts.filter(([name]) => name === 'v1').map(([, digest]) => digest ?? '');
  if (!/^\d{1,12}$/.test(timestamp) || candidates.length === 0) return 'no signature';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  if (!candidates.some((candidate) => matches(candidate, expected))) return 'wrong signature';
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return 'signature too old';
  return null;
}

/** Takes the same time wherever the first difference is. */
function matches(candidate, expected) {
  const digest = /^[0-9a-f]{64}$/i.test(candidate) ? Buffer.from(candidate, 'hex') : Buffer.alloc(0);
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}
