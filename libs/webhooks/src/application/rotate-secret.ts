import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FORMER_SECRETS_MAX, newSigningSecret } from '../domain/endpoint';
import { EndpointRepository } from './ports/endpoint.repository';
import { SigningSecrets } from './signing-secrets';

/** How long the previous secret is still used for signing (contract §15.3). */
export const OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;
const TOO_MANY_SECRETS = `at most ${FORMER_SECRETS_MAX} previous secrets can be active: wait until one expires, or send overlapHours 0, which ends all of them`;

/** Rotates the signing secret of an endpoint. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * The previous secret still signs for a while, and so does every earlier one whose time is not over. So a
   * receiver keeps working even if the response was lost and the secret was rotated again.
   *
   * @param overlapHours 0 stops signing with all previous secrets at once
   * @returns the new secret, which is returned only once
   * @throws AppError `NOT_FOUND` if the company has no such endpoint, `LIMIT_REACHED` if too many previous
   * secrets would
   *   still sign
   */
  async execute({ companyId }: Caller, endpointId: string, overlapHours = OVERLAP_HOURS): Promise<string> {
    const secret = newSigningSecret();
    const now = this.clock.now();
    const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
    await this.transactions.run(async (tx) => {
      const endpoint = await this.endpoints.lock(tx, companyId, endpointId);
      const stillSigning = endpoint.formerSecrets.filter((former) => new Date(former.until) > now);
      const former = overlapHours === 0 ? [] : [{ sealed: endpoint.secretSealed, until }, ...stillSigning];
      if (former.length > FORMER_SECRETS_MAX) {
        throw new AppError('LIMIT_REACHED', TOO_MANY_SECRETS);
      }
      const change = { secretSealed: this.secrets.seal(secret), formerSecrets: former };
      await this.endpoints.change(tx, endpointId, change);
    });
    return secret;
  }
}
