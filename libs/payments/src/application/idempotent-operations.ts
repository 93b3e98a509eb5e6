import { Idempotency, IdempotencyKeyTaken, type IdempotentCall } from '@counterfoil/idempotency';
import { Clock, type Transaction } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Charge } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { ProviderRequests } from './provider-requests';
import { ProviderRequestRepository } from './ports/provider-request.repository';
import { PaymentsReader } from './ports/payments.reader';

/** An operation, and the charge that it is on, both as they stand now. */
export interface Begun {
  readonly charge: Charge;
  readonly operation: Operation;
}

/** A call that begins an operation. */
export interface Beginning {
  /** Throws if the operation is not allowed. Called before the transaction, and not for a repeated call. */
  readonly check?: () => Promise<void>;
  /** Writes the operation and its dependents. It must have no effect outside `tx`. */
  readonly write: (tx: Transaction, now: Date) => Promise<Begun>;
}

/** Begins operations, once for each idempotency key, and has them placed. */
@Injectable()
export class IdempotentOperations {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly requests: ProviderRequests,
    private readonly repository: ProviderRequestRepository,
    private readonly reader: PaymentsReader,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Never throws once the operation is stored: a client that retries would charge twice. The first error that may be
   * the database's ends the waiting: the caller gets the stored state, and the worker settles the operation.
   *
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  async begin(
    companyId: number,
    call: IdempotentCall<Begun> | null,
    { check, write }: Beginning,
  ): Promise<Begun> {
    await this.resume(companyId, call);
    await check?.();
    const idOf = ({ operation }: Begun) => operation.id;
    const begun = await this.idempotency.begin(companyId, call, idOf, (tx) => write(tx, this.clock.now()));
    if (!(await this.requests.place(begun.operation))) return begun;
    const standing = await this.asItStandsIfKnown(companyId, begun);
    if (standing && call) await this.complete(companyId, call, standing);
    return standing ?? begun;
  }

  private resume(companyId: number, call: IdempotentCall<Begun> | null): Promise<void> {
    return this.idempotency.resume(companyId, call, async (operationId) => {
      const { chargeId, isUnderWay } = await this.repository.begun(companyId, operationId, this.clock.now());
      return isUnderWay ? null : this.asItStands(companyId, { id: operationId, chargeId });
    });
  }

  private async complete(companyId: number, call: IdempotentCall<Begun>, begun: Begun): Promise<void> {
    try {
      await this.idempotency.complete(companyId, call, begun);
    } catch (error) {
      if (error instanceof IdempotencyKeyTaken) throw error;
      this.log.error(
        { error, operationId: begun.operation.id },
        'the response to a charge could not be stored',
      );
    }
  }

  private async asItStandsIfKnown(companyId: number, begun: Begun): Promise<Begun | null> {
    try {
      return await this.asItStands(companyId, begun.operation);
    } catch (error) {
      this.log.error({ error, operationId: begun.operation.id }, 'what was begun could not be read back');
      return null;
    }
  }

  private async asItStands(
    companyId: number,
    { id, chargeId }: Pick<Operation, 'id' | 'chargeId'>,
  ): Promise<Begun> {
    const charge = await this.reader.charge(companyId, chargeId);
    const operation = charge?.operations.find((one) => one.id === id);
    if (!charge || !operation) throw new Error(`operation ${id} is missing`);
    return { charge, operation };
  }
}
