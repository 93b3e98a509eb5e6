import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  type Caller,
  Clock,
  KeyedSemaphore,
  type Transaction,
  unknownReference,
  validationFailed,
} from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { createMovementEvents } from './events';
import {
  EFFECTS,
  type MovementDetails,
  createRefusal,
  type StepsTaken,
  TRANSFER_IN,
} from '../domain/movement';
import { type Destination, StockRepository } from './ports/stock.repository';

/**
 * Concurrent movements of one record in this process: while one commits, the next waits for its lock. More
 * would only hold connections that others could use.
 */
const OPEN_PER_RECORD_MAX = 2;
const WAIT_MAX_MS = 10_000;

export interface RecordMovementInput extends MovementDetails {
  readonly inventoryId: number;
  /** The destination of a TRANSFER; otherwise null. */
  readonly targetWarehouseId: number | null;
}

/**
 * Records a movement: changes the stock, writes the movement and appends its events, in one transaction.
 *
 * Movements take locks in one order and therefore cannot deadlock: a missing stock record is created first,
 * while the transaction holds no lock, and then one statement locks the records in the order of their ids and
 * changes them.
 */
@Injectable()
export class RecordMovement {
  private readonly semaphore = new KeyedSemaphore<string>({
    openMax: OPEN_PER_RECORD_MAX,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many concurrent movements of this stock record; retry in a few seconds',
  });

  constructor(
    private readonly idempotency: Idempotency,
    private readonly stock: StockRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for a stock record or warehouse that this company does not have,
   *   `VALIDATION_FAILED` for a transfer to its own warehouse, `INSUFFICIENT_STOCK` when it would take more
   *   than is available or reserved, `LIMIT_REACHED` when the stock would exceed its maximum (contract §7.6),
   *   `UNAVAILABLE` when it waited too long for other movements of the record
   */
  async execute(
    caller: Caller,
    input: RecordMovementInput,
    call: IdempotentCall<StepsTaken> | null = null,
  ): Promise<StepsTaken> {
    const to = await this.findTarget(caller.companyId, input);
    return this.acquireAll(listKeys(caller, input, to), () =>
      this.idempotency.run(caller.companyId, call, (tx) => this.record(tx, caller, input, to)),
    );
  }

  private async record(
    tx: Transaction,
    caller: Caller,
    input: RecordMovementInput,
    to: Target | null,
  ): Promise<StepsTaken> {
    const { inventoryId, targetWarehouseId: _, ...details } = input;
    const at = this.clock.now();
    const source = { inventoryId, effect: EFFECTS[details.movementType] };
    const target = to && {
      inventoryId: await this.ensureTargetRecord(tx, caller.companyId, to, at),
      effect: TRANSFER_IN,
    };
    const moved = await this.stock.move(tx, caller, { details, source, target, at });
    if (moved === null) throw unknownReference('inventoryId', 'stock record');
    if ('refused' in moved) throw createRefusal(moved.refused, details.quantity, moved.before);
    await this.outbox.append(tx, caller.companyId, createMovementEvents(caller.userId, details, moved));
    return moved;
  }

  private async ensureTargetRecord(
    tx: Transaction,
    companyId: number,
    to: Target,
    at: Date,
  ): Promise<number> {
    if (to.inventoryId !== null) return to.inventoryId;
    const { id } = await this.stock.ensure(tx, companyId, { ...to, lowStockThreshold: null, createdAt: at });
    return id;
  }

  /** Finds the destination of a transfer. Null for other movements. */
  private async findTarget(companyId: number, input: RecordMovementInput): Promise<Target | null> {
    if (input.movementType !== 'TRANSFER') return null;
    const { inventoryId, targetWarehouseId } = input;
    if (targetWarehouseId === null)
      throw validationFailed([{ field: 'targetWarehouseId', problem: 'is required for a TRANSFER' }]);
    const destination = await this.stock.findDestination(companyId, inventoryId, targetWarehouseId);
    if (!destination) throw unknownReference('inventoryId', 'stock record');
    const { warehouseId, sourceWarehouseId } = destination;
    if (warehouseId === null) throw unknownReference('targetWarehouseId', 'warehouse');
    if (warehouseId === sourceWarehouseId) {
      throw validationFailed([
        { field: 'targetWarehouseId', problem: 'must not be the warehouse of the stock record' },
      ]);
    }
    return { ...destination, warehouseId };
  }

  private acquireAll<T>([first, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (first === undefined) return work();
    return this.semaphore.run(first, () => this.acquireAll(others, work));
  }
}

interface Target extends Destination {
  readonly warehouseId: number;
}

/**
 * Lists the semaphore keys in the order of locks. They include the caller's company, since the owner of the
 * record is not known yet: a caller that names another company's record must not compete with that company.
 */
function listKeys({ companyId }: Caller, { inventoryId }: RecordMovementInput, to: Target | null): string[] {
  const ids = [inventoryId, ...(to?.inventoryId ? [to.inventoryId] : [])];
  return ids.sort((one, other) => one - other).map((id) => `${companyId}:${id}`);
}
