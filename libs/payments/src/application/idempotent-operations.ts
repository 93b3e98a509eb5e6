import { Idempotency, IdempotencyKeyTaken, type IdempotentCall } from '@counterfoil/idempotency';
import { Clock, type Transaction } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { Charge } from '../domain/charge';
import type { Operation } from '../domain/operation';
import { ProviderRequests } from './provider-requests';
import { ProviderRequestRepository } from './ports/provider-request.repository';
import { PaymentsReader } from './ports/payments.reader';

/** An operation and its charge, both in their present state. */
export interface StartedOperation {
  readonly charge: Charge;
  readonly operation: Operation;
}

/** How a call starts an operation. */
export interface OperationStart {
  /**
   * Throws if the operation is not allowed. It is called before the transaction, and not for a repeated call.
   */
  readonly check?: () => Promise<void>;
  /** Writes the operation and its dependents. It must have no effect outside `tx`. */
  readonly write: (tx: Transaction, now: Date) => Promise<StartedOperation>;
}

/** Creates operations, once for each idempotency key, and has their requests sent. */
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
   * Never throws once the operation is stored, because a client that retries would charge twice. If an error
   * may come from the database, the method stops waiting: the caller gets the stored state, and the worker
   * settles the operation.
   *
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  async begin(
    companyId: number,
    call: IdempotentCall<StartedOperation> | null,
    { check, write }: OperationStart,
  ): Promise<StartedOperation> {
    await this.resume(companyId, call);
    await check?.();
    const idOf = ({ operation }: StartedOperation) => operation.id;
    const started = await this.idempotency.begin(companyId, call, idOf, (tx) => write(tx, this.clock.now()));
    if (!(await this.requests.send(started.operation))) return started;
    const present = await this.presentStateIfKnown(companyId, started);
    if (present && call) await this.complete(companyId, call, present);
    return present ?? started;
  }

  private resume(companyId: number, call: IdempotentCall<StartedOperation> | null): Promise<void> {
    return this.idempotency.resume(companyId, call, async (operationId) => {
      const { chargeId, isUnderWay } = await this.repository.progressOf(
        companyId,
        operationId,
        this.clock.now(),
      );
      return isUnderWay ? null : this.presentState(companyId, { id: operationId, chargeId });
    });
  }

  private async complete(
    companyId: number,
    call: IdempotentCall<StartedOperation>,
    started: StartedOperation,
  ): Promise<void> {
    try {
      await this.idempotency.complete(companyId, call, started);
    } catch (error) {
      if (error instanceof IdempotencyKeyTaken) throw error;
      this.log.error(
        { error, operationId: started.operation.id },
        'the response to a charge could not be stored',
      );
    }
  }

  private async presentStateIfKnown(
    companyId: number,
    started: StartedOperation,
  ): Promise<StartedOperation | null> {
    try {
      return await this.presentState(companyId, started.operation);
    } catch (error) {
      this.log.error(
        { error, operationId: started.operation.id },
        'a started operation could not be read back',
      );
      return null;
    }
  }

  private async presentState(
    companyId: number,
    { id, chargeId }: Pick<Operation, 'id' | 'chargeId'>,
  ): Promise<StartedOperation> {
    const charge = await this.reader.charge(companyId, chargeId);
    const operation = charge?.operations.find((one) => one.id === id);
    if (!charge || !operation) throw new Error(`operation ${id} is missing`);
    return { charge, operation };
  }
}
