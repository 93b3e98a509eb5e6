import { Config } from '@counterfoil/config';
import { SecretBox } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';

/** Encrypts and decrypts what providers know cards by. */
@Injectable()
export class CardTokens extends SecretBox {
  constructor(config: Config) {
    super(config.secretsKey, 'card-tokens');
  }
}
