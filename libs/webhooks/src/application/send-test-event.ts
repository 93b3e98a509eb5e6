import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { EventCatalogue, type EventType, Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { DeliveryWakeups } from './delivery-wakeups';
import { DeliveryRepository } from './ports/delivery.repository';
import { EndpointReader } from './ports/endpoint.reader';

export interface SentTestEvent {
  readonly eventId: string;
  readonly deliveryId: number;
}

const TYPE_WITHOUT_CHOICE: EventType = 'document.created';

/** Sends the example of an event type to an endpoint, in the same way as a real event. */
@Injectable()
export class SendTestEvent {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointReader,
    private readonly outbox: Outbox,
    private readonly catalogue: EventCatalogue,
    private readonly deliveries: DeliveryRepository,
    private readonly wakeups: DeliveryWakeups,
    private readonly clock: Clock,
  ) {}

  /**
   * @param type defaults to the first type that the endpoint subscribes to
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  async execute({ companyId }: Caller, endpointId: string, type?: EventType): Promise<SentTestEvent> {
    const { events } = await this.endpoints.find(companyId, endpointId);
    const sent = type ?? events.find((name) => this.catalogue.has(name)) ?? TYPE_WITHOUT_CHOICE;
    // Marks the event, so that no receiver mistakes it for a real one.
    const data = { ...this.catalogue.find(sent).example.data, test: true };
    const test = await this.transactions.run(async (tx) => {
      const eventId = await this.outbox.appendRelayed(tx, companyId, { type: sent, data });
      const delivery = { companyId, endpointId, eventId, eventType: sent };
      return { eventId, deliveryId: await this.deliveries.insert(tx, delivery, this.clock.now()) };
    });
    await this.wakeups.wake([{ companyId, endpointId }]);
    return test;
  }
}
