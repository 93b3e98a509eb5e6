export interface CacheBounds<Value> {
  /** The weight of all values together. The least recently used one is evicted first. */
  readonly weightMax: number;
  /** More than 0, so that no number of small values is without a bound. */
  readonly weightOf: (name: string, value: Value) => number;
  /** A read that takes longer is not waited for any more: the next caller reads again. */
  readonly readMaxMs: number;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  /** 0 while the value is being read. */
  readonly weight: number;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
}

/** Values of this process as of their last read. A failed read is not kept. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private weight = 0;

  constructor(private readonly bounds: CacheBounds<Value>) {}

  /** Returns the cached value, or reads it. Concurrent callers share one read. */
  get(name: string, read: () => Promise<Value>): Promise<Value> {
    const entry = this.entries.get(name);
    if (!entry || this.isLost(entry)) return this.learn(name, read());
    this.put(name, entry);
    return entry.value;
  }

  async learn(name: string, value: Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    this.put(name, { value, weight: 0, startedAt });
    try {
      const known = await value;
      if (this.entries.get(name)?.value === value)
        this.put(name, { value, weight: this.bounds.weightOf(name, known), startedAt });
      return known;
    } catch (error) {
      if (this.entries.get(name)?.value === value) this.forget(name);
      throw error;
    }
  }

  /** Stores the entry as the most recently used one. */
  private put(name: string, entry: Entry<Value>): void {
    this.forget(name);
    this.entries.set(name, entry);
    this.weight += entry.weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.bounds.weightMax) break;
      this.forget(oldest);
    }
  }

  private forget(name: string): void {
    this.weight -= this.entries.get(name)?.weight ?? 0;
    this.entries.delete(name);
  }

  /** No other caller should wait for it. */
  private isLost({ weight, startedAt }: Entry<Value>): boolean {
    return weight === 0 && performance.now() - startedAt > this.bounds.readMaxMs;
  }
}
