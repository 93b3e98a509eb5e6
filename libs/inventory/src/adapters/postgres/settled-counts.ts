/** Counts that are remembered at most; the one that was asked for longest ago is forgotten first. */
const COUNTS_MAX = 10_000;

/**
 * How many movements a filter finds, up to one that was written before every transaction that was under way: movements
 * are only ever added, so that there are that many for ever. What was written later is counted anew.
 */
export interface SettledCount {
  readonly rows: number;
  /** The id of the transaction that wrote it, as PostgreSQL's xid8. */
  readonly upTo: string;
  /** Of which the ids are: they mean something to the table and to the run of the server alone that they come from. */
  readonly history: string;
}

/** What was counted before, by the name of a filter. */
export class SettledCounts {
  private readonly counts = new Map<string, SettledCount>();

  of(name: string): SettledCount | null {
    return this.counts.get(name) ?? null;
  }

  learn(name: string, count: SettledCount): void {
    this.counts.delete(name);
    this.counts.set(name, count);
    const [oldest] = this.counts.keys();
    if (oldest !== undefined && this.counts.size > COUNTS_MAX) this.counts.delete(oldest);
  }
}
