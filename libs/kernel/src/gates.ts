import { AppError } from './app-error';

const RETRY_AFTER_SECONDS = 2;

export interface GateLimits {
  /** Places of each key; looked up for each caller, so that it may change. */
  readonly openMax: number;
  /** Places of all keys together, dealt in turn to the keys that wait. No bound when left out. */
  readonly openInAllMax?: number;
  /** Callers of one key that may wait at once; more are refused. No bound when left out. */
  readonly waitingMax?: number;
  /** A caller that has waited this long is refused. */
  readonly waitMaxMs: number;
  /** The message of a refusal, with `UNAVAILABLE`. */
  readonly message: string;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: () => void;
  readonly isAbandoned: () => boolean;
}

interface Gate {
  open: number;
  readonly waiting: Set<Waiter>;
}

const NO_GATE: Gate = { open: 0, waiting: new Set() };
const never = () => false;

/**
 * A fair semaphore by key: each key has a few places, and within a key the places go to callers in the order of their
 * calls. Where the places of all keys together are bounded too, keys that wait get the free ones in turn (round robin),
 * so that a key with a thousand waiters delays a key with one waiter by one place.
 *
 * Callers wait here in memory, without what is scarce: a connection of the pool, a file, processor time.
 */
export class Gates<Key> {
  private readonly gates = new Map<Key, Gate>();
  private openInAll = 0;
  /** The keys that have a waiter and a place of their own left, in the order in which they are served. */
  private readonly inTurn = new Set<Key>();

  constructor(private readonly limits: GateLimits) {}

  /** @throws AppError `UNAVAILABLE` when no place is free in time, or too many callers of the key wait */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    await this.enter(key);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  /** Whether another caller of the key would have to wait. */
  isFull(key: Key): boolean {
    const { open, waiting } = this.gates.get(key) ?? NO_GATE;
    return this.openInAll >= this.inAllMax || open >= this.limits.openMax || waiting.size > 0;
  }

  /** Takes a place if one is free now. A caller that got one gives it back with `leave`. */
  tryEnter(key: Key): boolean {
    if (this.isFull(key)) return false;
    this.take(this.gateOf(key));
    return true;
  }

  /**
   * Waits for a place. A caller that got one gives it back with `leave`.
   *
   * @param isAbandoned whether nobody wants the result any more: then the caller is refused instead of admitted
   * @throws AppError `UNAVAILABLE` when no place is free in time, or too many callers of the key wait
   */
  enter(key: Key, isAbandoned: () => boolean = never): Promise<void> {
    if (this.tryEnter(key)) return Promise.resolve();
    const gate = this.gateOf(key);
    if (this.isCrowded(gate)) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        gate.waiting.delete(waiter);
        this.tidy(key, gate);
        reject(this.refusal());
      }, this.limits.waitMaxMs);
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(this.refusal());
        },
        isAbandoned,
      };
      gate.waiting.add(waiter);
      this.tidy(key, gate);
      // Where the limit has risen since the last place was given back, there is one for who waits.
      this.deal();
    });
  }

  /** Gives a place back. It goes to the next caller in turn. */
  leave(key: Key): void {
    const gate = this.gateOf(key);
    gate.open -= 1;
    this.openInAll -= 1;
    this.tidy(key, gate);
    this.deal();
  }

  private deal(): void {
    while (this.openInAll < this.inAllMax) {
      const [key] = this.inTurn;
      if (key === undefined) return;
      const gate = this.gateOf(key);
      const next = this.nextOf(gate);
      if (next) this.take(gate);
      // Back to the end of the turn, where it still waits for more.
      this.inTurn.delete(key);
      this.tidy(key, gate);
      next?.admit();
    }
  }

  /** Takes the first waiter whose caller still wants the result, and refuses those before it. */
  private nextOf(gate: Gate): Waiter | undefined {
    for (const waiter of gate.waiting) {
      gate.waiting.delete(waiter);
      if (!waiter.isAbandoned()) return waiter;
      waiter.refuse();
    }
    return undefined;
  }

  private isCrowded({ waiting }: Gate): boolean {
    const { waitingMax = Infinity } = this.limits;
    if (waiting.size < waitingMax) return false;
    for (const waiter of waiting) {
      if (!waiter.isAbandoned()) continue;
      waiting.delete(waiter);
      waiter.refuse();
    }
    return waiting.size >= waitingMax;
  }

  private take(gate: Gate): void {
    gate.open += 1;
    this.openInAll += 1;
  }

  private gateOf(key: Key): Gate {
    let gate = this.gates.get(key);
    if (!gate) {
      gate = { open: 0, waiting: new Set() };
      this.gates.set(key, gate);
    }
    return gate;
  }

  /** Keeps the turn and the map to the keys that need them. */
  private tidy(key: Key, gate: Gate): void {
    if (gate.waiting.size > 0 && gate.open < this.limits.openMax) this.inTurn.add(key);
    else this.inTurn.delete(key);
    if (gate.waiting.size === 0 && gate.open === 0) this.gates.delete(key);
  }

  private get inAllMax(): number {
    return this.limits.openInAllMax ?? Infinity;
  }

  private refusal(): AppError {
    return new AppError('UNAVAILABLE', this.limits.message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
