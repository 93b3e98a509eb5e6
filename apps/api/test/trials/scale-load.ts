import fs from 'node:fs';
import {
  type HttpLoad,
  percentile,
  type Post,
  processFamily,
  processorMs,
  startHttpLoad,
  type TestDatabase,
} from '@counterfoil/test-harness';
import type { Fleet } from '../fleet';

const CLIENTS = 16;
const STOCK_MS = 4_000;
const ISSUED = 201;
const INSUFFICIENT_STOCK = 409;

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A company of the load. */
export interface Seller {
  readonly key: string;
  readonly entityId: number;
  /** A stock record with less than the load takes. */
  readonly inventoryId: number;
  /** Another stock record, to warm up. */
  readonly otherInventoryId: number;
}

/** Clients in a separate process. Each calls one API process, so no balancer is a part of what is measured. */
export class ScaleLoad {
  private readonly load: HttpLoad = startHttpLoad();

  constructor(
    private readonly fleet: Fleet,
    private readonly sellers: readonly Seller[],
  ) {}

  /** Calls each process until its code is compiled. A process that has just started takes several times as long. */
  async warmUp(durationMs: number): Promise<void> {
    await this.issue((2 * durationMs) / 3);
    await this.move(durationMs / 3, ({ otherInventoryId }) => ({
      inventoryId: otherInventoryId,
      movementType: 'ADD',
    }));
  }

  issue(durationMs: number): Promise<Measured> {
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const posts = this.sellers.map(({ key, entityId }) => ({
      path: '/documents/create/tax-invoice',
      body: JSON.stringify({ entityId, items }),
      key,
    }));
    return this.run(posts, durationMs, [ISSUED]);
  }

  /** Takes from the stock until calls are refused. */
  takeStock(): Promise<Measured> {
    return this.move(STOCK_MS, ({ inventoryId }) => ({ inventoryId, movementType: 'SUBTRACT' }));
  }

  close(): Promise<void> {
    return this.load.close();
  }

  private move(durationMs: number, movementOf: (seller: Seller) => object): Promise<Measured> {
    const posts = this.sellers.map((seller) => ({
      path: '/inventory/movements/create',
      body: JSON.stringify({ ...movementOf(seller), quantity: 1 }),
      key: seller.key,
    }));
    return this.run(posts, durationMs, [ISSUED, INSUFFICIENT_STOCK]);
  }

  private async run(
    posts: readonly Post[],
    durationMs: number,
    statuses: readonly number[],
  ): Promise<Measured> {
    const { apis } = this.fleet;
    const input = { headers: {}, posts, statuses, durationMs, clients: CLIENTS / apis.length };
    const results = await Promise.all(apis.map(({ url }) => this.load.run({ ...input, url })));
    const tookMs = results.flatMap((result) => result.tookMs);
    return {
      perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: percentile(tookMs, 0.5),
      p99Ms: percentile(tookMs, 0.99),
    };
  }
}

/** Processors that each part used, on average; 1 is a whole one. */
export type Processors = Readonly<Record<'API' | 'worker' | 'PostgreSQL' | 'machine', number>>;

/** Returns the processor time of everything that runs on the machine. */
function machineMs(): number {
  const [, user, nice, system] = fs.readFileSync('/proc/stat', 'utf8').split(/\s+/, 4).map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0)) * 10;
}

/** Measures which part uses the processors. PostgreSQL must run on the same machine. */
export class ProcessorMeter {
  private constructor(
    private readonly fleet: Fleet,
    private readonly postmaster: number,
  ) {}

  static async open(database: TestDatabase, fleet: Fleet): Promise<ProcessorMeter> {
    const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
    const status = fs.readFileSync(`/proc/${row!.pid}/status`, 'utf8');
    return new ProcessorMeter(fleet, Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]));
  }

  async during<Result>(work: () => Promise<Result>): Promise<{ result: Result; processors: Processors }> {
    const before = this.usedMs();
    const since = performance.now();
    const result = await work();
    const elapsedMs = performance.now() - since;
    const after = this.usedMs();
    const shares = Object.entries(after).map(([part, ms]) => [
      part,
      (ms - before[part as keyof Processors]) / elapsedMs,
    ]);
    return { result, processors: Object.fromEntries(shares) as Processors };
  }

  private usedMs(): Record<keyof Processors, number> {
    return {
      API: processorMs(...this.fleet.apis.map(({ process }) => process.pid)),
      worker: processorMs(...this.fleet.workers.map(({ pid }) => pid)),
      PostgreSQL: processorMs(...processFamily(this.postmaster)),
      machine: machineMs(),
    };
  }
}
