import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Orders } from './orders';
import { OrderBook } from './ports/order-book';

/** Longer than the provider may take, twice: who asks what came of an order may have to send it again. */
const LEASE_MS = 60_000;

/** Settles an order of which nobody knows what came of it. Does nothing when it is settled, or in other hands. */
@Injectable()
export class SettleOrder {
  constructor(
    private readonly book: OrderBook,
    private readonly orders: Orders,
    private readonly clock: Clock,
  ) {}

  async execute(operationId: number): Promise<void> {
    const claimed = await this.book.claim(operationId, this.clock.now(), LEASE_MS);
    if (claimed) await this.orders.settle(claimed);
  }

  /** Waits for no provider any longer. */
  stop(): void {
    this.orders.stop();
  }
}
