/** The maximum weight of all cached lists: 16 MB as ids. The least recently used list is evicted first. */
const IDS_MAX = 2_000_000;
/** Longer than any statement timeout: a read that takes longer has lost its connection. */
const LOOK_MAX_MS = 40_000;
/** The fixed weight of a list, in ids. */
const LIST_WEIGHT = 100;
/** This many characters of a name weigh as much as one id. */
const CHARACTERS_AN_ID = 4;

interface Entry<Known> {
  readonly list: Promise<Known>;
  /** 0 while the list is being read. */
  readonly weight: number;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
}

/** Definitions, numbered in the order of their first use. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/**
 * The key of a requested list in a cache. It identifies the definition itself and not its name, so that two lists
 * that were given one name never serve each other's rows.
 */
export function cacheKeyOf(definition: object, ...request: readonly unknown[]): string {
  const number = numbers.get(definition) ?? (lastNumber += 1);
  numbers.set(definition, number);
  return JSON.stringify([number, ...request]);
}

/** A cache of list contents as of their last read. */
export class ListCache<Known extends object> {
  private readonly entries = new Map<string, Entry<Known>>();
  private weight = 0;

  /** Returns the cached list, or reads it with `look`. Concurrent callers share one read. */
  get(name: string, look: () => Promise<Known>): Promise<Known> {
    const entry = this.entries.get(name);
    if (!entry || isLost(entry)) return this.learn(name, look());
    this.put(name, entry);
    return entry.list;
  }

  async learn(name: string, looked: Promise<Known>): Promise<Known> {
    const startedAt = performance.now();
    this.put(name, { list: looked, weight: 0, startedAt });
    try {
      const known = await looked;
      if (this.entries.get(name)?.list === looked) {
        this.put(name, { list: looked, weight: weightOf(name, known), startedAt });
      }
      return known;
    } catch (error) {
      if (this.entries.get(name)?.list === looked) this.forget(name);
      throw error;
    }
  }

  /** Stores the entry as the most recently used one. */
  private put(name: string, entry: Entry<Known>): void {
    this.forget(name);
    this.entries.set(name, entry);
    this.weight += entry.weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= IDS_MAX) break;
      this.forget(oldest);
    }
  }

  private forget(name: string): void {
    this.weight -= this.entries.get(name)?.weight ?? 0;
    this.entries.delete(name);
  }
}

function weightOf(name: string, { ids = [] }: { readonly ids?: readonly number[] }): number {
  return LIST_WEIGHT + name.length / CHARACTERS_AN_ID + ids.length;
}

/** No other caller should wait for it. */
function isLost({ weight, startedAt }: Entry<unknown>): boolean {
  return weight === 0 && performance.now() - startedAt > LOOK_MAX_MS;
}
