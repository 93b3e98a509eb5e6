/** How many ids are remembered in all: 16 MB of numbers. The list that was asked for longest ago is forgotten first. */
const IDS_MAX = 2_000_000;
/** Longer than the database takes for any statement: a look that has taken this long has lost its connection. */
const LOOK_MAX_MS = 40_000;
/** A list is held to weigh this much besides its ids. */
const LIST_WEIGHT = 100;

interface Entry<Known> {
  readonly list: Promise<Known>;
  /** Of a list that is still looked at: 0. */
  readonly weight: number;
  /** By `performance.now()`. */
  readonly begunAt: number;
}

/** The cache: what each list held when it was last read. */
export class KnownLists<Known extends object> {
  private readonly entries = new Map<string, Entry<Known>>();
  private weight = 0;

  /** What is known of a list, or what `look` finds. Who asks meanwhile waits for the same answer. */
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
        this.put(name, { list: looked, weight: LIST_WEIGHT + idsIn(known), begunAt });
      }
      return known;
    } catch (error) {
      if (this.entries.get(name)?.list === looked) this.forget(name);
      throw error;
    }
  }

  /** As the last one that was asked for. */
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

function idsIn(known: { readonly ids?: readonly number[] }): number {
  return known.ids?.length ?? 0;
}

/** Nobody else is to wait for it. */
function isLost({ weight, begunAt }: Entry<unknown>): boolean {
  return weight === 0 && performance.now() - begunAt > LOOK_MAX_MS;
}
