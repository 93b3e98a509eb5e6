import { SecretBox, type SecretsKeys } from '@counterfoil/secrets';

/** Encrypts and decrypts the refresh tokens of the tax authority. */
export class RefreshTokenBox extends SecretBox {
  constructor(secretsKeys: SecretsKeys) {
    super(secretsKeys, 'tax-authority-refresh-tokens');
  }
}
