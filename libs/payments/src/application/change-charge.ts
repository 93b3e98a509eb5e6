import type { IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { amountOfChange, type ChangeKind } from '../domain/charge';
import { type StartedOperation, IdempotentOperations } from './idempotent-operations';
import { CardLookup } from './card-lookup';
import { startTimes } from './provider-requests';
import { ChargeRepository } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';

export interface ChargeChangeInput {
  readonly kind: ChangeKind;
  /** Defaults to the whole available amount. Not allowed for a `VOID`. */
  readonly amount?: number | undefined;
  /** Only for a `REFUND`. */
  readonly reason?: string | null;
}

/**
 * For each kind, declined ones included, so that declined captures do not prevent a cancellation. Each answer for a
 * charge has all of its operations.
 */
const OPERATIONS_MAX = 1_000;

/** Captures or voids an authorization, or refunds a captured amount, in whole or in part. */
@Injectable()
export class ChangeCharge {
  constructor(
    private readonly operations: IdempotentOperations,
    private readonly charges: ChargeRepository,
    private readonly methods: PaymentMethodRepository,
    private readonly providers: CardLookup,
  ) {}

  /**
   * A change that the provider declines is not an error, and changes nothing.
   *
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `NOT_FOUND`, `INVALID_STATE` if the charge does not allow the change or its provider is
   * not configured,
   *   `VALIDATION_FAILED` if the amount is too large, `LIMIT_REACHED` after 1,000 operations of the kind,
   *   `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  execute(
    { companyId }: Caller,
    chargeId: number,
    { kind, amount: requested, reason = null }: ChargeChangeInput,
    call: IdempotentCall<StartedOperation> | null = null,
  ): Promise<StartedOperation> {
    const write = async (tx: Transaction, now: Date): Promise<StartedOperation> => {
      const charge = await this.charges.lock(tx, companyId, chargeId);
      if (!charge) throw new AppError('NOT_FOUND', 'no such charge');
      this.providers.assertServed(await this.methods.ofCharge(tx, companyId, charge));
      const pending = await this.charges.pendingOf(tx, companyId, chargeId);
      const amount = amountOfChange(kind, charge, pending, requested);
      if ((await this.charges.countOperations(tx, companyId, { chargeId, kind })) >= OPERATIONS_MAX)
        throw new AppError('LIMIT_REACHED', `a charge has at most ${OPERATIONS_MAX} operations of a kind`);
      const newOperation = { chargeId, kind, amount, reason, ...startTimes(now) };
      return { charge, operation: await this.charges.insertOperation(tx, companyId, newOperation) };
    };
    return this.operations.begin(companyId, call, { write });
  }
}
