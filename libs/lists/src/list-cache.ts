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
  readonly begunAt: number;
}

/** A cache of list contents as of their last read. */
export class ListCache<Known extends object> {
  private readonly entries = new Map<string, Entry<Known>>();
  private weight = 0;

  /** Returns the cached list, or reads it with `look`. Concurrent callers share one read. */
  of(name: string, look: () => Promise<Known>): Promise<Known> {
    const entry = this.entries.get(name);
    if (!entry || isLost(entry)) return this.learn(name, look());
    this.put(name, entry);
    return entry.list;
  }

  async learn(name: string, looked: Promise<Known>): Promise<Known> {
    const begunAt = performance.now();
    this.put(name, { list: looked, weight: 0, begunAt });
    try {
      const known = await looked;
      if (this.entries.get(name)?.list === looked) {
        this.put(name, { list: looked, weight: weightOf(name, known), begunAt });
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
function isLost({ weight, begunAt }: Entry<unknown>): boolean {
  return weight === 0 && performance.now() - begunAt > LOOK_MAX_MS;
}
