import type { CallOptions, Counterfoil } from '@counterfoil/sdk';
import type { Existing } from './existing';
import type { SeedPlan } from './plan';

export const KINDS = [
  'webhooks',
  'rates',
  'addresses',
  'vendors',
  'clients',
  'products',
  'pricelists',
  'warehouses',
  'stockRecords',
  'movements',
  'files',
  'expenses',
  'purchases',
  'retainers',
  'documents',
  'closedDocuments',
  'cancelledDocuments',
] as const;

export type SeedKind = (typeof KINDS)[number];

/** How many of a kind the run created, and how many were there before. */
export interface SeedCount {
  readonly created: number;
  readonly existing: number;
}

/** Requests of one run under way at once. */
const CONCURRENCY = 6;
/** A service that restarts, or limits the rate, must not end the run. */
const RETRIES = 8;

interface SeedRunParts {
  readonly client: Counterfoil;
  readonly plan: SeedPlan;
  readonly existing: Existing;
  readonly signal: AbortSignal | undefined;
  readonly onStep: () => void;
}

/** One run: the company, the plan, and the progress. */
export class SeedRun {
  readonly client: Counterfoil;
  readonly plan: SeedPlan;
  readonly existing: Existing;
  readonly counts = new Map<SeedKind, SeedCount>();
  readonly #prefix: string;
  readonly #failure = new AbortController();
  readonly #options: CallOptions;
  readonly #onStep: () => void;

  constructor({ client, plan, existing, signal, onStep }: SeedRunParts) {
    this.client = client;
    this.plan = plan;
    this.existing = existing;
    this.#prefix = `seed-${plan.seed}/${plan.size}/${plan.until}`;
    const signals = [this.#failure.signal, ...(signal ? [signal] : [])];
    this.#options = { maxRetries: RETRIES, signal: AbortSignal.any(signals) };
    this.#onStep = onStep;
  }

  /**
   * Creates a record unless it is known already. Its `Idempotency-Key` depends on the plan alone: a request that an
   * earlier run sent before it was killed is not executed twice, although it may not be listed yet.
   */
  async ensure<T>(
    kind: SeedKind,
    name: string,
    known: T | undefined,
    create: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const idempotencyKey = `${this.#prefix}/${kind}/${name}`;
    const record = known ?? (await create({ idempotencyKey, ...this.#options }));
    this.#count(kind, known === undefined);
    return record;
  }

  /** Makes a change that may be repeated, unless it was made. */
  async settle(
    kind: SeedKind,
    isDone: boolean,
    change: (options: CallOptions) => Promise<unknown>,
  ): Promise<void> {
    if (!isDone) await change(this.#options);
    this.#count(kind, !isDone);
  }

  /** Does several things at once. After an error in one of them, the others send nothing more. */
  async atOnce(...parts: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(parts);
    } catch (error) {
      this.#failure.abort(error);
      throw error;
    }
  }

  /** Counts a record that need not be looked up, because the record that it belongs to is there. */
  found(...kinds: readonly SeedKind[]): void {
    for (const kind of kinds) this.#count(kind, false);
  }

  #count(kind: SeedKind, isNew: boolean): void {
    const { created, existing } = this.counts.get(kind) ?? { created: 0, existing: 0 };
    this.counts.set(kind, {
      created: created + (isNew ? 1 : 0),
      existing: existing + (isNew ? 0 : 1),
    });
    this.#onStep();
  }
}

/** Handles all values, a few at a time. After an error no other is begun. */
export async function forEachAtOnce<T>(
  values: readonly T[],
  handle: (value: T) => Promise<void>,
): Promise<void> {
  const rest = values.values();
  const work = async () => {
    for (const value of rest) await handle(value);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
