import { Config } from '@counterfoil/config';
import { deriveKey } from '@counterfoil/secrets';
import { Injectable } from '@nestjs/common';
import { secretOf } from '../domain/endpoint';

/**
 * The secrets that sign the event streams of a company. They are derived from `SECRETS_KEY`, so that they are the same
 * for every stream, and differ from the secrets of all endpoints.
 */
@Injectable()
export class StreamSecrets {
  constructor(private readonly config: Config) {}

  /**
   * Returns the secret of the first key, which the stream announces, and those of the other keys. All of them sign, so
   * that a receiver that was configured with an earlier secret still verifies the events during a rotation.
   */
  of(companyId: number): [string, ...string[]] {
    const [first, ...others] = this.config.secretsKeys.map((key) =>
      secretOf(deriveKey(key, `webhook-streams/${companyId}`).export()),
    );
    return [first ?? '', ...others];
  }
}
