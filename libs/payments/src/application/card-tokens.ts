import { Config } from '@counterfoil/config';
import { SecretBox } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';

/** Encrypts and decrypts the provider tokens of cards. */
@Injectable()
export class CardTokens extends SecretBox {
  constructor(config: Config) {
    super(config.secretsKeys, 'card-tokens');
  }
}
