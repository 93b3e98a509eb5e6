import { AppError, type Caller } from '@counterfoil/kernel';
import { type OpenContext, type TestDatabase, until } from '@counterfoil/test-harness';
import { RecordMovement } from '../application/record-movement';
import { MOVEMENT_TYPES } from '../domain/movement';
import type { StockLevel } from '../domain/stock-record';
import { aMovement } from './a-movement';
import { givenProduct, givenStock, givenWarehouse } from './given-stock';
import { StockModel } from './stock-model';

const PRODUCTS = 5;
const WAREHOUSES = 4;
const CLIENTS = 16;
/**
 * The mix takes more than it adds, so that stock runs short, and many transfers contend for the same records.
 */
const TRANSFERS = ['TRANSFER', 'TRANSFER', 'TRANSFER', 'TRANSFER'] as const;
const MIX = [...MOVEMENT_TYPES, ...TRANSFERS, 'SUBTRACT', 'RELEASE_AND_SUBTRACT'] as const;

export interface WorkloadReport {
  readonly accepted: number;
  readonly refused: number;
  /** As counted by PostgreSQL; its log has the details. */
  readonly deadlocks: number;
  readonly records: number;
  readonly elapsedMs: number;
  readonly problems: readonly string[];
}

const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;
/** With 4 decimals. */
const randomQuantity = () => (1 + Math.floor(Math.random() * 200_000)) / 10_000;

/**
 * Runs random movements of all types from 16 clients without a pause, over 5 products in 4 warehouses.
 * Transfers create most of the stock records.
 *
 * @param contexts each with its own pool and semaphores, like the processes of the API
 */
export async function runStockWorkload(
  contexts: readonly OpenContext[],
  { caller, database, movements }: { caller: Caller; database: TestDatabase; movements: number },
): Promise<WorkloadReport> {
  const [context] = contexts;
  if (!context) throw new Error('no context');
  const warehouses: number[] = [];
  for (let count = 0; count < WAREHOUSES; count++) warehouses.push(await givenWarehouse(context, caller));
  for (let count = 0; count < PRODUCTS; count++) {
    const productId = await givenProduct(context, caller);
    await givenStock(context, caller, { productId, warehouseId: warehouses[count % WAREHOUSES]! });
  }
  const workload = new StockWorkload(caller, database, warehouses, movements);
  const started = performance.now();
  const clients = Array.from({ length: CLIENTS }, (_, index) => contexts[index % contexts.length]!);
  await Promise.all(clients.map((own) => workload.work(own.get(RecordMovement))));
  return workload.report(performance.now() - started);
}

class StockWorkload {
  private readonly model = new StockModel();
  private records: readonly number[] = [];
  private left: number;

  constructor(
    private readonly caller: Caller,
    private readonly database: TestDatabase,
    private readonly warehouses: readonly number[],
    private readonly movements: number,
  ) {
    this.left = movements;
  }

  async work(record: RecordMovement): Promise<void> {
    while (this.left-- > 0) {
      if (this.records.length < PRODUCTS * WAREHOUSES && this.left % 16 === 0) await this.refreshRecords();
      await this.move(record);
    }
  }

  async report(elapsedMs: number): Promise<WorkloadReport> {
    const deadlocks = await this.countDeadlocks();
    const rows = await this.database.query<{ id: number; quantity: number; reserved: number }>(
      `select id::int, quantity::float8, reserved_quantity::float8 as reserved from stock_records where company_id = $1`,
      [this.caller.companyId],
    );
    const final = new Map<number, StockLevel>(
      rows.map(({ id, quantity, reserved }) => [id, { quantity, reservedQuantity: reserved }]),
    );
    const { accepted, refused } = this.model;
    const problems = this.model.findProblems(final);
    if (accepted + refused !== this.movements)
      problems.push('some movements were neither accepted nor refused');
    return { accepted, refused, deadlocks, records: rows.length, elapsedMs, problems };
  }

  /** A connection flushes its statistics at its end at the latest, so all are terminated first. */
  private async countDeadlocks(): Promise<number> {
    const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    await until('all connections have ended', async () => {
      const ended = await this.database.query(`select pg_terminate_backend(pid) ${others}`);
      return ended.length === 0;
    });
    const [row] = await this.database.query<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    return row?.deadlocks ?? NaN;
  }

  private async refreshRecords(): Promise<void> {
    const rows = await this.database.query<{ id: number }>(
      'select id::int from stock_records where company_id = $1',
      [this.caller.companyId],
    );
    this.records = rows.map(({ id }) => id);
  }

  /**
   * Records a movement and passes the outcome to the model. Retries a transfer to its own warehouse with
   * another.
   */
  private async move(record: RecordMovement): Promise<void> {
    if (this.records.length === 0) await this.refreshRecords();
    const [inventoryId, movementType, quantity] = [oneOf(this.records), oneOf(MIX), randomQuantity()];
    for (;;) {
      const targetWarehouseId = movementType === 'TRANSFER' ? oneOf(this.warehouses) : null;
      try {
        const movement = aMovement({ inventoryId, movementType, quantity, targetWarehouseId });
        const { source, target } = await record.execute(this.caller, movement);
        return this.model.addMovement({ movementType, quantity, source, target });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'VALIDATION_FAILED') continue;
        if (error.code !== 'INSUFFICIENT_STOCK') throw error;
        const inPool = Number(/ only (\S+) are (available|reserved)$/.exec(error.message)?.[1]);
        return this.model.addRefusal({ inventoryId, movementType, quantity, inPool });
      }
    }
  }
}
