import { SealedRows } from '@counterfoil/secrets';

/** The encrypted refresh token of the tax authority that succeeds a configured one. */
export interface SealedRefreshToken {
  readonly configuredHash: Buffer;
  readonly tokenSealed: string;
}

/** The stored refresh tokens of the tax authority, for their re-encryption. */
export abstract class SealedRefreshTokens extends SealedRows<SealedRefreshToken> {}
