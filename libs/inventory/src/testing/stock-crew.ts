import { AppError, type Caller } from '@counterfoil/kernel';
import { type OpenContext, type TestDatabase, until } from '@counterfoil/test-harness';
import { RecordMovement } from '../application/record-movement';
import { MOVEMENT_TYPES } from '../domain/movement';
import type { StockLevel } from '../domain/stock-record';
import { aMovement } from './a-movement';
import { givenProduct, givenStock, givenWarehouse } from './given-stock';
import { StockOracle } from './stock-oracle';

const PRODUCTS = 5;
const WAREHOUSES = 4;
const CLIENTS = 16;
/** More is taken than is given, so that there is seldom enough; and transfers meet each other. */
const TRANSFERS = ['TRANSFER', 'TRANSFER', 'TRANSFER', 'TRANSFER'] as const;
const ASKED = [...MOVEMENT_TYPES, ...TRANSFERS, 'SUBTRACT', 'RELEASE_AND_SUBTRACT'] as const;

export interface CrewReport {
  readonly accepted: number;
  readonly refused: number;
  /** Of PostgreSQL's own count, which its log tells the story of. */
  readonly deadlocks: number;
  readonly records: number;
  readonly elapsedMs: number;
  readonly problems: readonly string[];
}

const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;
/** To 4 decimals, few of them whole. */
const someQuantity = () => (1 + Math.floor(Math.random() * 200_000)) / 10_000;

/**
 * Random movements of all types over the records of 5 products in 4 warehouses, most of which transfers have to make
 * first, from 16 clients without a pause.
 *
 * @param contexts each with a pool and with gates of its own, as the processes of the API are
 */
export async function runStockCrew(
  contexts: readonly OpenContext[],
  { caller, database, movements }: { caller: Caller; database: TestDatabase; movements: number },
): Promise<CrewReport> {
  const [context] = contexts;
  if (!context) throw new Error('no context');
  const warehouses: number[] = [];
  for (let count = 0; count < WAREHOUSES; count++) warehouses.push(await givenWarehouse(context, caller));
  for (let count = 0; count < PRODUCTS; count++) {
    const productId = await givenProduct(context, caller);
    await givenStock(context, caller, { productId, warehouseId: warehouses[count % WAREHOUSES]! });
  }
  const crew = new StockCrew(caller, database, warehouses, movements);
  const started = performance.now();
  const clients = Array.from({ length: CLIENTS }, (_, index) => contexts[index % contexts.length]!);
  await Promise.all(clients.map((own) => crew.work(own.get(RecordMovement))));
  return crew.report(performance.now() - started);
}

class StockCrew {
  private readonly oracle = new StockOracle();
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
      if (this.records.length < PRODUCTS * WAREHOUSES && this.left % 16 === 0) await this.lookForRecords();
      await this.move(record);
    }
  }

  async report(elapsedMs: number): Promise<CrewReport> {
    const deadlocks = await this.deadlocks();
    const rows = await this.database.query<{ id: number; quantity: number; reserved: number }>(
      `select id::int, quantity::float8, reserved_quantity::float8 as reserved from stock_records where company_id = $1`,
      [this.caller.companyId],
    );
    const final = new Map<number, StockLevel>(
      rows.map(({ id, quantity, reserved }) => [id, { quantity, reservedQuantity: reserved }]),
    );
    const { accepted, refused } = this.oracle;
    const problems = this.oracle.problems(final);
    if (accepted + refused !== this.movements) problems.push('some movements were neither taken nor refused');
    return { accepted, refused, deadlocks, records: rows.length, elapsedMs, problems };
  }

  /** A connection reports what it has met when it ends, if not before; so all are ended. */
  private async deadlocks(): Promise<number> {
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

  private async lookForRecords(): Promise<void> {
    const rows = await this.database.query<{ id: number }>(
      'select id::int from stock_records where company_id = $1',
      [this.caller.companyId],
    );
    this.records = rows.map(({ id }) => id);
  }

  /** What was asked and answered. A transfer to its own warehouse is asked for again, elsewhere. */
  private async move(record: RecordMovement): Promise<void> {
    if (this.records.length === 0) await this.lookForRecords();
    const [inventoryId, movementType, quantity] = [oneOf(this.records), oneOf(ASKED), someQuantity()];
    for (;;) {
      const targetWarehouseId = movementType === 'TRANSFER' ? oneOf(this.warehouses) : null;
      try {
        const asked = aMovement({ inventoryId, movementType, quantity, targetWarehouseId });
        const { source, target } = await record.execute(this.caller, asked);
        return this.oracle.told({ movementType, quantity, source, target });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'VALIDATION_FAILED') continue;
        if (error.code !== 'INSUFFICIENT_STOCK') throw error;
        const there = Number(/ of (\S+) (available|reserved)$/.exec(error.message)?.[1]);
        return this.oracle.toldRefusal({ inventoryId, movementType, quantity, there });
      }
    }
  }
}
