import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DeliveryWakeups } from './delivery-wakeups';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointReader } from './ports/endpoint.reader';

/** Sends one delivery again, in any state, with its retry table restarted (contract §15.14). */
@Injectable()
export class RedeliverDelivery {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointReader,
    private readonly deliveries: DeliveryRepository,
    private readonly wakeups: DeliveryWakeups,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` if the company has no such endpoint, or the endpoint no such delivery */
  async execute({ companyId }: Caller, endpointId: string, deliveryId: number): Promise<void> {
    await this.endpoints.find(companyId, endpointId);
    const endpoint = { companyId, endpointId };
    const found = await this.transactions.run((tx) =>
      this.deliveries.redeliver(tx, endpoint, deliveryId, this.clock.now()),
    );
    if (!found) throw new AppError('NOT_FOUND', 'no such delivery');
    await this.wakeups.wake([endpoint]);
  }
}
