import { AppError, type Caller } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { type DeliveryFilter, DeliveryReader, type DeliveryView } from './ports/delivery.reader';
import { EndpointReader } from './ports/endpoint.reader';
import { type RedeliveryProgress, RedeliveryRepository } from './ports/redelivery.repository';

export interface DeliveryWithEvent extends DeliveryView {
  /** The exact bytes that are sent, as text. */
  readonly body: string;
}

/**
 * Reads the deliveries to a company's endpoints. Each method throws `NOT_FOUND` for another company's
 * endpoint.
 */
@Injectable()
export class ReadDeliveries {
  constructor(
    private readonly endpoints: EndpointReader,
    private readonly deliveries: DeliveryReader,
    private readonly redeliveries: RedeliveryRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Lists deliveries, latest first. */
  async list(
    { companyId }: Caller,
    endpointId: string,
    { filter, page }: { readonly filter: DeliveryFilter; readonly page: PageRequest },
  ): Promise<Page<DeliveryView>> {
    await this.endpoints.find(companyId, endpointId);
    return this.deliveries.list(endpointId, filter, page);
  }

  /** @throws AppError `NOT_FOUND` */
  async find({ companyId }: Caller, endpointId: string, deliveryId: number): Promise<DeliveryWithEvent> {
    await this.endpoints.find(companyId, endpointId);
    const delivery = await this.deliveries.find(endpointId, deliveryId);
    if (!delivery) throw new AppError('NOT_FOUND', 'no such delivery');
    const bodies = await this.outbox.findBodies([delivery.eventId]);
    return { ...delivery, body: bodies.get(delivery.eventId) ?? '' };
  }

  /** @throws AppError `NOT_FOUND` */
  async findRedelivery(
    { companyId }: Caller,
    endpointId: string,
    replayId: number,
  ): Promise<RedeliveryProgress> {
    await this.endpoints.find(companyId, endpointId);
    const redelivery = await this.redeliveries.find({ companyId, endpointId }, replayId);
    if (!redelivery) throw new AppError('NOT_FOUND', 'no such replay');
    return redelivery;
  }
}
