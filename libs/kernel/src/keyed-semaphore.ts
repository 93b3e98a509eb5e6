import { UnavailableError, type UnavailableReason } from './unavailable';

const RETRY_AFTER_SECONDS = 2;

export interface SemaphoreLimits {
  /** Slots of each key. Read for each caller, so that it may change. */
  readonly openMax: number;
  /** Slots of all keys together, given to waiting keys in turn. Unbounded by default. */
  readonly openInAllMax?: number;
  /** Callers of one key that may wait at once; more are refused. Unbounded by default. */
  readonly waitingMax?: number;
  /** A caller that has waited this long is refused. */
  readonly waitMaxMs: number;
  /** The message of the error `UNAVAILABLE`. */
  readonly message: string;
  /** Its reason. Default: `busy`. */
  readonly reason?: UnavailableReason;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: () => void;
  readonly isAbandoned: () => boolean;
}

interface KeySlots {
  open: number;
  readonly waiting: Set<Waiter>;
}

const NO_SLOTS: KeySlots = { open: 0, waiting: new Set() };
const never = () => false;

/**
 * A fair semaphore by key: each key has a few slots, and callers of a key get them in the order of their
 * calls. If the slots of all keys together are bounded too, waiting keys get free slots in turn (round
 * robin), so that a key with a thousand waiters delays a key with one waiter by one slot.
 *
 * Callers wait in memory and hold nothing scarce meanwhile, such as a connection of the pool or an open file.
 */
export class KeyedSemaphore<Key> {
  private readonly slotsByKey = new Map<Key, KeySlots>();
  private openInAll = 0;
  /** The keys that have a waiter and a free slot of their own, in the order in which they are served. */
  private readonly servingOrder = new Set<Key>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Runs `work` in a slot of the key.
   *
   * @throws AppError `UNAVAILABLE` when no slot is free in time, or too many callers of the key wait
   */
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
    const { open, waiting } = this.slotsByKey.get(key) ?? NO_SLOTS;
    return this.openInAll >= this.inAllMax || open >= this.limits.openMax || waiting.size > 0;
  }

  /** How many callers wait for a slot. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.slotsByKey.values()) sum += waiting.size;
    return sum;
  }

  /** Takes a slot if one is free now. The caller gives it back with `leave`. */
  tryEnter(key: Key): boolean {
    if (this.isFull(key)) return false;
    this.take(this.slotsOf(key));
    return true;
  }

  /**
   * Waits for a slot. The caller gives it back with `leave`.
   *
   * @param isAbandoned whether the caller has hung up: then it is refused instead of admitted
   * @throws AppError `UNAVAILABLE` when no slot is free in time, or too many callers of the key wait
   */
  enter(key: Key, isAbandoned: () => boolean = never): Promise<void> {
    if (this.tryEnter(key)) return Promise.resolve();
    const slots = this.slotsOf(key);
    if (this.isCrowded(slots)) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        slots.waiting.delete(waiter);
        this.updateQueues(key, slots);
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
      slots.waiting.add(waiter);
      this.updateQueues(key, slots);
      // `openMax` may have risen since the last slot was given back, so that a waiter can be admitted now.
      this.assignFreeSlots();
    });
  }

  /** Gives a slot back and admits the next waiter. */
  leave(key: Key): void {
    const slots = this.slotsOf(key);
    slots.open -= 1;
    this.openInAll -= 1;
    this.updateQueues(key, slots);
    this.assignFreeSlots();
  }

  private assignFreeSlots(): void {
    while (this.openInAll < this.inAllMax) {
      const [key] = this.servingOrder;
      if (key === undefined) return;
      const slots = this.slotsOf(key);
      const next = this.takeNextWaiter(slots);
      if (next) this.take(slots);
      // Round robin: the key moves to the end, if it has more waiters.
      this.servingOrder.delete(key);
      this.updateQueues(key, slots);
      next?.admit();
    }
  }

  /** Removes and returns the first waiter that is not abandoned. Refuses abandoned ones before it. */
  private takeNextWaiter(slots: KeySlots): Waiter | undefined {
    for (const waiter of slots.waiting) {
      slots.waiting.delete(waiter);
      if (!waiter.isAbandoned()) return waiter;
      waiter.refuse();
    }
    return undefined;
  }

  private isCrowded({ waiting }: KeySlots): boolean {
    const { waitingMax = Infinity } = this.limits;
    if (waiting.size < waitingMax) return false;
    for (const waiter of waiting) {
      if (!waiter.isAbandoned()) continue;
      waiting.delete(waiter);
      waiter.refuse();
    }
    return waiting.size >= waitingMax;
  }

  private take(slots: KeySlots): void {
    slots.open += 1;
    this.openInAll += 1;
  }

  private slotsOf(key: Key): KeySlots {
    let slots = this.slotsByKey.get(key);
    if (!slots) {
      slots = { open: 0, waiting: new Set() };
      this.slotsByKey.set(key, slots);
    }
    return slots;
  }

  /** Keeps only keys with waiters in the serving order, and only keys in use in the map. */
  private updateQueues(key: Key, slots: KeySlots): void {
    if (slots.waiting.size > 0 && slots.open < this.limits.openMax) this.servingOrder.add(key);
    else this.servingOrder.delete(key);
    if (slots.waiting.size === 0 && slots.open === 0) this.slotsByKey.delete(key);
  }

  private get inAllMax(): number {
    return this.limits.openInAllMax ?? Infinity;
  }

  private refusal(): UnavailableError {
    return new UnavailableError(this.limits.reason ?? 'busy', this.limits.message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
