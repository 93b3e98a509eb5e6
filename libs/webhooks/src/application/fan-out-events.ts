import { type Backlog, Clock, Transactions } from '@counterfoil/kernel';
import { Outbox, type RelayedEvent, RELAYED_MAX } from '@counterfoil/outbox';
import { recordSpan } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { DeliveryRepository } from './ports/delivery.repository';

/** Creates one delivery for each endpoint that subscribes to an event, and wakes the workers. */
@Injectable()
export class FanOutEvents {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Relays all waiting events in batches. Each event is marked as relayed in the transaction that creates its
   * deliveries.
   *
   * @param signal stops after the current batch
   * @returns the number of events
   */
  async execute(signal?: AbortSignal): Promise<number> {
    for (let relayed = 0; ;) {
      const startedAt = performance.now();
      const { events, endpoints } = await this.relayBatch();
      this.dispatcher.wake(endpoints);
      recordRelays(events, startedAt);
      relayed += events.length;
      if (events.length < RELAYED_MAX || signal?.aborted) return relayed;
    }
  }

  /** Measures the events without deliveries. */
  backlog(): Promise<Backlog> {
    return this.outbox.backlog();
  }

  private relayBatch(): Promise<{ events: RelayedEvent[]; endpoints: EndpointRef[] }> {
    return this.transactions.run(async (tx) => {
      const events = await this.outbox.takeUnrelayed(tx);
      const endpoints = events.length > 0 ? await this.deliveries.fanOut(tx, events, this.clock.now()) : [];
      return { events, endpoints };
    });
  }
}

/** Adds the relay to the trace of each event. Events outside of traces get none. */
function recordRelays(events: readonly RelayedEvent[], startedAt: number): void {
  const endedAt = performance.now();
  for (const { id, companyId, type, trace } of events) {
    if (trace === null) continue;
    const attributes = {
      'counterfoil.company_id': companyId,
      'counterfoil.event_id': id,
      'counterfoil.event_type': type,
    };
    recordSpan(trace, { name: 'outbox.relay', kind: 'consumer', attributes }, { startedAt, endedAt });
  }
}
