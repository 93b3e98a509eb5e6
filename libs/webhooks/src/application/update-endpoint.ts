import { type Caller, Transactions, validationFailed } from '@counterfoil/kernel';
import { EventCatalogue } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { endpointProblems } from './endpoint-problems';
import { EndpointReader, type EndpointView } from './ports/endpoint.reader';
import { EndpointRepository } from './ports/endpoint.repository';
import { WebhookSender } from './ports/webhook-sender';

/** Omitted fields stay unchanged. */
export interface UpdateEndpointInput {
  readonly url?: string;
  readonly events?: readonly string[];
}

/**
 * Changes the URL of an endpoint, also for waiting deliveries, or its event types, for future events only.
 */
@Injectable()
export class UpdateEndpoint {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly reader: EndpointReader,
    private readonly sender: WebhookSender,
    private readonly catalogue: EventCatalogue,
  ) {}

  /** @throws AppError the same as `RegisterEndpoint`, and `NOT_FOUND` if the company has no such endpoint */
  async execute(
    { companyId }: Caller,
    endpointId: string,
    input: UpdateEndpointInput,
  ): Promise<EndpointView> {
    const { url, events } = input;
    const problems = endpointProblems(input, this.catalogue);
    if (problems.length > 0) throw validationFailed(problems);
    await this.reader.find(companyId, endpointId);
    if (url !== undefined) await this.sender.assertAllowed(url);
    const change = {
      ...(url === undefined ? {} : { url, failingSince: null }),
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
    };
    await this.transactions.run(async (tx) => {
      await this.endpoints.lock(tx, companyId, endpointId);
      if (Object.keys(change).length > 0) await this.endpoints.change(tx, endpointId, change);
    });
    return this.reader.find(companyId, endpointId);
  }
}
