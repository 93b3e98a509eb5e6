import { Config } from '@counterfoil/config';
import { SecretBox } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';

/** Encrypts and decrypts the secrets of endpoints. */
@Injectable()
export class SigningSecrets extends SecretBox {
  constructor(config: Config) {
    super(config.secretsKey, 'webhook-signing-secrets');
  }
}
