import type { ErasureProgress } from '@counterfoil/company-data';

type Counts = Readonly<Record<string, number>>;

/** The rows that one call of `company:erase` has removed and changed, by table. */
export class ErasureTally {
  private readonly tables = new Map<string, ErasureProgress>();

  /** @param state the totals of a table, which replace those from before */
  note(state: ErasureProgress): void {
    this.tables.set(state.table, state);
  }

  /** Leaves out tables with none. */
  summary(): { readonly removed: Counts; readonly changed: Counts } {
    return { removed: this.counts('removed'), changed: this.counts('changed') };
  }

  private counts(kind: 'removed' | 'changed'): Counts {
    const some = [...this.tables.values()].filter((table) => table[kind] > 0);
    return Object.fromEntries(some.map((table) => [table.table, table[kind]]));
  }
}
