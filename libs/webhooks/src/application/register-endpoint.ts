import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, validationFailed } from '@counterfoil/kernel';
import { EventCatalogue } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { ENDPOINTS_MAX, newEndpointId, newSigningSecret, type WebhookEndpoint } from '../domain/endpoint';
import { endpointProblems } from './endpoint-problems';
import { EndpointRepository } from './ports/endpoint.repository';
import { WebhookSender } from './ports/webhook-sender';
import { SigningSecrets } from './signing-secrets';

const TOO_MANY_ENDPOINTS = `a company may have at most ${ENDPOINTS_MAX} webhook endpoints: delete one first`;

export interface RegisterEndpointInput {
  readonly url: string;
  readonly events: readonly string[];
}

export interface RegisteredEndpoint extends WebhookEndpoint {
  /** Returned only once. */
  readonly secret: string;
}

/** Registers an endpoint that receives a company's events (contract §15.1). */
@Injectable()
export class RegisterEndpoint {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointRepository,
    private readonly sender: WebhookSender,
    private readonly catalogue: EventCatalogue,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` for a malformed URL or an unknown event type, `URL_NOT_ALLOWED` for
   * a forbidden
   *   address, `LIMIT_REACHED` if the company has too many endpoints
   */
  async execute(
    { companyId }: Caller,
    input: RegisterEndpointInput,
    call: IdempotentCall<RegisteredEndpoint> | null = null,
  ): Promise<RegisteredEndpoint> {
    const problems = endpointProblems(input, this.catalogue);
    if (problems.length > 0) throw validationFailed(problems);
    await this.sender.assertAllowed(input.url);

    const secret = newSigningSecret();
    const endpoint: WebhookEndpoint = {
      id: newEndpointId(),
      url: input.url,
      events: [...new Set(input.events)],
      createdAt: this.clock.now(),
      pausedAt: null,
    };
    const secrets = { secretSealed: this.secrets.seal(secret), formerSecrets: [], failingSince: null };
    return this.idempotency.run(companyId, call, async (tx) => {
      if ((await this.endpoints.countLocked(tx, companyId)) >= ENDPOINTS_MAX) {
        throw new AppError('LIMIT_REACHED', TOO_MANY_ENDPOINTS);
      }
      await this.endpoints.insert(tx, { ...endpoint, ...secrets, companyId });
      return { ...endpoint, secret };
    });
  }
}
