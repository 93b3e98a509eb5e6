import { WebhookVerificationError } from './verification-error';

const HEADER = 'service-signature';
/** A header has about 80 characters, and twice that during a rotation of the secret. */
const LENGTH_MAX = 4096;

/** Request headers as Node or Fetch provides them, or a plain object with names in any case. */
export type DeliveryHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

/**
 * The parsed `Service-Signature`: `t=<unix seconds>,v1=<hex digest>`, with several `v1` during a rotation of the
 * secret.
 */
export interface SignatureHeader {
  /** The original text, because the signature covers that text. */
  readonly timestamp: string;
  /** At least one, of 32 bytes each. */
  readonly digests: readonly Uint8Array[];
}

export function signatureFrom(headers: DeliveryHeaders | null | undefined): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (typeof headers.get === 'function') return headers.get(HEADER);
  return Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
}

/**
 * @param value the value of the header; a list if the header occurs several times
 * @throws WebhookVerificationError `missing_signature`, `malformed_signature`
 */
export function parseSignature(value: unknown): SignatureHeader {
  const lines: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  if (lines.every((line) => line === '')) {
    throw new WebhookVerificationError(
      'missing_signature',
      'There is no Service-Signature header: pass all headers of the request, and refuse it if there is none.',
    );
  }
  if (!lines.every((line) => typeof line === 'string')) throw malformed();
  const text = lines.join(',');
  if (text.length > LENGTH_MAX) throw malformed();
  const parts = text.split(',').map((part) => part.trim().split('='));
  const valuesOf = (wanted: string) =>
    parts.filter(([name]) => name === wanted).map(([, content = '']) => content);
  // With two different timestamps it is unknown which one was signed.
  const [timestamp = '', ...others] = new Set(valuesOf('t'));
  const digests = valuesOf('v1')
    .filter((digest) => /^[0-9a-f]{64}$/i.test(digest))
    .map((digest) => Buffer.from(digest, 'hex'));
  if (others.length > 0 || !/^\d{1,12}$/.test(timestamp) || digests.length === 0) throw malformed();
  return { timestamp, digests };
}

function malformed(): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_signature',
    'The Service-Signature header is not t=<unix seconds>,v1=<64 hex digits>.',
  );
}
