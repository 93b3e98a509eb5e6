import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretsKeys } from './secrets-keys';

/** Signs the concatenation of texts and bytes. */
export type Sign = (...parts: readonly (string | Buffer)[]) => Buffer;

/**
 * Signs texts that the service issues and later reads back, with HMAC-SHA256 and keys derived from `SECRETS_KEY` for
 * one purpose. The first key signs. All keys verify, so that texts signed before a rotation remain valid.
 */
export class Signatures {
  readonly sign: Sign;
  private readonly signers: readonly Sign[];

  constructor(keys: SecretsKeys, purpose: string) {
    const signers = keys.map((key) => signerOf(deriveKey(key, purpose)));
    this.signers = signers;
    this.sign = signers[0] as Sign;
  }

  /**
   * Compares a text with the one that each key makes, in constant time for texts of equal length. It compares whole
   * texts and not decoded bytes, because several texts decode to the same bytes.
   */
  verify(text: string, textBy: (sign: Sign) => string): boolean {
    return this.signers.some((sign) => sameText(text, textBy(sign)));
  }
}

function signerOf(key: KeyObject): Sign {
  return (...parts) => {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
