import { AppError, Clock, type RetryKey, type Transaction, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Charge } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { Orders } from './orders';
import { OrderBook } from './ports/order-book';
import { PaymentsReader } from './ports/payments.reader';

/** An operation, and the charge that it is on. */
export interface OperationOnCharge {
  readonly charge: Charge;
  readonly operation: Operation;
}

/** Both as they stand now. */
export interface Begun extends OperationOnCharge {
  /** Nothing was begun now: the company has made this call before, with the same idempotency key. */
  readonly replayed: boolean;
}

/** Begins operations, once for each idempotency key, and has them placed. */
@Injectable()
export class Beginnings {
  constructor(
    private readonly transactions: Transactions,
    private readonly orders: Orders,
    private readonly book: OrderBook,
    private readonly reader: PaymentsReader,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Once something is begun, nothing is thrown any more: whoever is told to try again would begin it twice.
   *
   * @param begin writes the operation, and what it needs, with the key; nothing that has an effect outside `tx`
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when another call was made with the key
   */
  async begin(
    companyId: number,
    retryKey: RetryKey | null,
    begin: (tx: Transaction, now: Date) => Promise<OperationOnCharge>,
  ): Promise<Begun> {
    const known = await this.begunUnder(companyId, retryKey);
    if (known) return known;
    let begun: OperationOnCharge;
    try {
      begun = await this.transactions.run((tx) => begin(tx, this.clock.now()));
    } catch (error) {
      // The same call, made at the same time, may have come first: then the key is taken, or nothing is left to refund.
      const first = await this.begunUnder(companyId, retryKey);
      if (!first) throw error;
      return first;
    }
    await this.orders.place(begun.operation.id);
    return { ...(await this.asItStandsIfKnown(companyId, begun)), replayed: false };
  }

  private async begunUnder(companyId: number, retryKey: RetryKey | null): Promise<Begun | null> {
    const known = retryKey && (await this.book.under(companyId, retryKey.key));
    if (!known) return null;
    if (!known.fingerprint.equals(retryKey.fingerprint))
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was sent with another call');
    return { ...(await this.asItStands(companyId, known.operation)), replayed: true };
  }

  private async asItStandsIfKnown(companyId: number, begun: OperationOnCharge): Promise<OperationOnCharge> {
    try {
      return await this.asItStands(companyId, begun.operation);
    } catch (error) {
      this.log.error({ error, operationId: begun.operation.id }, 'what was begun could not be read back');
      return begun;
    }
  }

  private async asItStands(companyId: number, { id, chargeId }: Operation): Promise<OperationOnCharge> {
    const charge = await this.reader.charge(companyId, chargeId);
    const operation = charge?.operations.find((one) => one.id === id);
    if (!charge || !operation) throw new Error(`charge ${chargeId} is missing`);
    return { charge, operation };
  }
}
