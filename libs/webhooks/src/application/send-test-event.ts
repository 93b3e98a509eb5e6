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

export const TEST_EVENT_TARGETS = ['all', 'stream'] as const;
export type TestEventTarget = (typeof TEST_EVENT_TARGETS)[number];

const TYPE_WITHOUT_CHOICE: EventType = 'document.created';

/** Sends the example of an event type in the same way as a real event (contract §15.15). */
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
   * Sends the event to one endpoint, and to the streams of the company.
   *
   * @param type defaults to the first type that the endpoint subscribes to
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  async execute({ companyId }: Caller, endpointId: string, type?: EventType): Promise<SentTestEvent> {
    const { events } = await this.endpoints.find(companyId, endpointId);
    const sent = type ?? events.find((name) => this.catalogue.has(name)) ?? TYPE_WITHOUT_CHOICE;
    const example = { ...this.exampleOf(sent), fanOut: false };
    const test = await this.transactions.run(async (tx) => {
      const eventId = await this.outbox.appendExample(tx, companyId, example);
      const delivery = { companyId, endpointId, eventId, eventType: sent };
      return { eventId, deliveryId: await this.deliveries.insert(tx, delivery, this.clock.now()) };
    });
    await this.wakeups.wake([{ companyId, endpointId }]);
    return test;
  }

  /**
   * Sends the event to the streams of the company and, unless `target` is `stream`, to all endpoints that subscribe
   * to its type.
   *
   * @returns the id of the event
   */
  trigger({ companyId }: Caller, type: EventType, target: TestEventTarget): Promise<string> {
    const example = { ...this.exampleOf(type), fanOut: target === 'all' };
    return this.transactions.run((tx) => this.outbox.appendExample(tx, companyId, example));
  }

  /** Marks the event, so that no receiver mistakes it for a real one. */
  private exampleOf(type: EventType) {
    return { type, data: { ...this.catalogue.find(type).example.data, test: true } };
  }
}
