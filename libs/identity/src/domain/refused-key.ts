/** The reasons for which a key is refused. */
export type KeyRefusal = 'unknown' | 'revoked' | 'expired' | 'address' | 'published' | 'suspended';

/**
 * Tells the operator why a key was refused, as the cause of the error. The caller is not told: it may have found a key
 * that is refused only here or only now.
 */
export class RefusedKey extends Error {
  constructor(
    readonly reason: KeyRefusal,
    /** Null for an unknown key. */
    readonly key: { readonly apiKeyId: number; readonly companyId: number } | null,
  ) {
    super(`the API key was refused: ${reason}`);
    this.name = 'RefusedKey';
  }
}
