import { AppError } from './app-error';

const RETRY_AFTER_SECONDS = 2;

export interface GateLimits {
  /** How much goes on at once at each gate. */
  readonly openMax: number;
  /** Who has waited this long is told to try again. */
  readonly waitMaxMs: number;
  /** What they are told, with `UNAVAILABLE`. */
  readonly message: string;
}

/**
 * A gate for each key, through which a few go at once and the others in the order in which they came. For work that
 * would wait for its turn in the database anyway: here it waits without a connection of the pool, which others could use.
 */
export class Gates<Key> {
  private readonly gates = new Map<Key, Gate>();

  constructor(private readonly limits: GateLimits) {}

  /** @throws AppError `UNAVAILABLE` when what came before takes too long */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const gate = this.gates.get(key) ?? new Gate(this.limits);
    this.gates.set(key, gate);
    await gate.enter();
    try {
      return await work();
    } finally {
      gate.leave();
      if (gate.isIdle) this.gates.delete(key);
    }
  }

  /** Whether anybody else would have to wait. */
  isFull(key: Key): boolean {
    return this.gates.get(key)?.isFull ?? false;
  }
}

class Gate {
  private open = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: GateLimits) {}

  get isIdle(): boolean {
    return this.open === 0 && this.waiting.size === 0;
  }

  get isFull(): boolean {
    return this.open >= this.limits.openMax;
  }

  enter(): Promise<void> {
    if (!this.isFull) {
      this.open += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(admit);
        reject(new AppError('UNAVAILABLE', this.limits.message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
      }, this.limits.waitMaxMs);
      this.waiting.add(admit);
    });
  }

  /** The place is handed to whoever waits longest. */
  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.open -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
