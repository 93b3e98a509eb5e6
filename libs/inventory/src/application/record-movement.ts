import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  type Caller,
  Clock,
  Gates,
  type Transaction,
  unknownReference,
  validationFailed,
} from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { eventsOf } from './events';
import { EFFECTS, type MovementDetails, refusal, type StepsTaken, TRANSFER_IN } from '../domain/movement';
import { type Destination, StockRepository } from './ports/stock.repository';

/** Movements of one record that this process has under way at once: while one commits, the next waits for its lock. */
const OPEN_PER_RECORD_MAX = 2;
const WAIT_MAX_MS = 10_000;

export interface AskedMovement extends MovementDetails {
  readonly inventoryId: number;
  /** Where a TRANSFER goes; null for all else. */
  readonly targetWarehouseId: number | null;
}

/**
 * Records a movement: changes the stock, writes the movement and tells of it, all in one transaction or not at all.
 *
 * There is one order of locks, so that no two movements ever wait for each other: a stock record that is to be made is
 * made first, while nothing is held; then the records are locked by their ids upwards, in the one statement that changes
 * them.
 */
@Injectable()
export class RecordMovement {
  private readonly gates = new Gates<string>({
    openMax: OPEN_PER_RECORD_MAX,
    waitMaxMs: WAIT_MAX_MS,
    message: 'too many movements of this stock record at once; try again',
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
   *   `VALIDATION_FAILED` for a transfer to its own warehouse, `INSUFFICIENT_STOCK` when it would take more than is
   *   available or reserved, `LIMIT_REACHED` when there would be more than a number can say (decisions §8, §12)
   */
  async execute(
    caller: Caller,
    asked: AskedMovement,
    call: IdempotentCall<StepsTaken> | null = null,
  ): Promise<StepsTaken> {
    const to = await this.targetOf(caller.companyId, asked);
    return this.inTurn(keysOf(caller, asked, to), () =>
      this.idempotency.run(caller.companyId, call, (tx) => this.record(tx, caller, asked, to)),
    );
  }

  private async record(
    tx: Transaction,
    caller: Caller,
    asked: AskedMovement,
    to: Target | null,
  ): Promise<StepsTaken> {
    const { inventoryId, targetWarehouseId: _, ...details } = asked;
    const at = this.clock.now();
    const source = { inventoryId, effect: EFFECTS[details.movementType] };
    const target = to && {
      inventoryId: await this.targetRecord(tx, caller.companyId, to, at),
      effect: TRANSFER_IN,
    };
    const moved = await this.stock.move(tx, caller, { details, source, target, at });
    if (moved === null) throw unknownReference('inventoryId', 'stock record');
    if ('refused' in moved) throw refusal(moved.refused, details.quantity, moved.before);
    await this.outbox.append(tx, caller.companyId, eventsOf(caller.userId, details, moved));
    return moved;
  }

  private async targetRecord(tx: Transaction, companyId: number, to: Target, at: Date): Promise<number> {
    if (to.inventoryId !== null) return to.inventoryId;
    const { id } = await this.stock.ensure(tx, companyId, { ...to, lowStockThreshold: null, createdAt: at });
    return id;
  }

  /** Where a transfer goes; null for all else. */
  private async targetOf(companyId: number, asked: AskedMovement): Promise<Target | null> {
    if (asked.movementType !== 'TRANSFER') return null;
    const { inventoryId, targetWarehouseId } = asked;
    if (targetWarehouseId === null)
      throw validationFailed([{ field: 'targetWarehouseId', problem: 'is required' }]);
    const destination = await this.stock.destinationOf(companyId, inventoryId, targetWarehouseId);
    if (!destination) throw unknownReference('inventoryId', 'stock record');
    const { warehouseId, sourceWarehouseId } = destination;
    if (warehouseId === null) throw unknownReference('targetWarehouseId', 'warehouse');
    if (warehouseId === sourceWarehouseId) {
      throw validationFailed([{ field: 'targetWarehouseId', problem: 'must be another warehouse' }]);
    }
    return { ...destination, warehouseId };
  }

  private inTurn<T>([first, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (first === undefined) return work();
    return this.gates.run(first, () => this.inTurn(others, work));
  }
}

interface Target extends Destination {
  readonly warehouseId: number;
}

/**
 * In the one order of locks. With the company, since nobody has asked yet whose record it is: who names another
 * company's waits for nobody of it, and keeps nobody of it waiting.
 */
function keysOf({ companyId }: Caller, { inventoryId }: AskedMovement, to: Target | null): string[] {
  const ids = [inventoryId, ...(to?.inventoryId ? [to.inventoryId] : [])];
  return ids.sort((one, other) => one - other).map((id) => `${companyId}:${id}`);
}
