import type { TestService } from '@counterfoil/test-harness';
import { type Company, companyIdOf, newCompany, oneOf, read } from './company';
import { documentProblems } from './document-problems';
import { History, judge, lags, matchAcknowledged, type Verdict } from './feed-checker';
import { committedTransactions, type FeedRow, tableRows } from './feed-log';
import { FeedReader, type Habits, quietSweep, RowTexts } from './feed-reader';
import { FeedWriter } from './feed-writer';

const TAIL: Habits = {
  limit: 200,
  restarts: 0,
  fromBeginningBelow: 0,
  pausesMs: { onTheWay: 0, drained: 50 },
};
const SWEEP_LIMIT = 200;
/** Number of documents whose record is read separately. The whole table is compared with every reader. */
const RECORDS_READ = 100;
const EXAMPLES_MAX = 5;

export interface WorkloadReport {
  readonly changes: number;
  readonly documents: number;
  /** Number of calls that were rolled back. */
  readonly refused: number;
  /** The lag of every acknowledged change (`lags`). */
  readonly lagsMs: readonly number[];
  readonly verdicts: readonly Verdict[];
  /** Descriptions of all other faults. Empty if there are none. */
  readonly faults: readonly string[];
}

/** One company with the writers of its documents and the readers of its feed. */
export class Workload {
  private readonly texts = new RowTexts();
  private readonly tail: FeedReader;
  readonly readers: readonly FeedReader[];
  readonly writers: readonly FeedWriter[];

  private constructor(
    private readonly service: TestService,
    private readonly company: Company,
    private readonly companyId: number,
    { writers, limits, slow }: { writers: number; limits: readonly number[]; slow: boolean },
  ) {
    this.tail = new FeedReader(company, this.texts, TAIL);
    const sweeping = limits.map((limit) => new FeedReader(company, this.texts, habitsAt(limit)));
    this.readers = [this.tail, ...sweeping];
    this.writers = Array.from({ length: writers }, () => new FeedWriter(company, slow));
  }

  /** @param slow whether its commits are delayed for long */
  static async gather(
    service: TestService,
    urls: readonly string[],
    size: { readonly writers: number; readonly limits: readonly number[]; readonly slow: boolean },
  ): Promise<Workload> {
    const company = await newCompany(service, urls);
    return new Workload(service, company, await companyIdOf(service, company), size);
  }

  async changes(): Promise<number> {
    const sql = 'select count(*)::int as count from trial_log where company_id = $1';
    const [row] = await this.service.database.query<{ count: number }>(sql, [this.companyId]);
    return row?.count ?? 0;
  }

  async report(): Promise<WorkloadReport> {
    const history = new History(await committedTransactions(this.service.database, this.companyId));
    const { known, faults } = matchAcknowledged(this.writers, history);
    const table = await tableRows(this.service.database, this.companyId);
    return {
      changes: history.changes,
      documents: table.length,
      refused: this.writers.reduce((sum, { refused }) => sum + refused, 0),
      lagsMs: lags(this.tail, this.texts, history, known),
      verdicts: this.readers.map((reader) => judge(reader, this.texts, history, known)),
      faults: [
        ...faults,
        ...this.writers.flatMap(({ unexpected }) => unexpected),
        ...this.readers.flatMap((reader) => reader.faults),
        ...this.differences(table),
        ...(await this.recordsThatDiffer(table)),
        ...(await quietSweep(this.company, SWEEP_LIMIT, table.length)),
        ...(await documentProblems(this.service.database, this.companyId)),
      ],
    };
  }

  /** Compares every reader's rows with the table, field by field. */
  private differences(table: readonly FeedRow[]): string[] {
    const sortedTexts = this.texts.rows.map(sortedText);
    const stored = new Map(table.map((row) => [row.visibleId, sortedText(row)]));
    return this.readers.flatMap(({ upserted, habits }) => {
      const ids = new Set([...upserted.keys(), ...stored.keys()]);
      const differing = [...ids].filter((id) => sortedTexts[upserted.get(id) ?? -1] !== stored.get(id));
      if (differing.length === 0) return [];
      const [first = ''] = differing;
      const example = `${sortedTexts[upserted.get(first) ?? -1]} is in the table ${stored.get(first)}`;
      return [`limit ${habits.limit}: ${differing.length} documents differ in the end: ${example}`];
    });
  }

  private async recordsThatDiffer(table: readonly FeedRow[]): Promise<string[]> {
    const faults: string[] = [];
    for (let turn = 0; turn < RECORDS_READ; turn++) {
      const row = table[oneOf(table.length)];
      if (!row) continue;
      const record = read<Record<string, unknown>>(await this.company.get(`/documents/id/${row.visibleId}`));
      const same = Object.fromEntries(Object.keys(row).map((key) => [key, record[key]]));
      if (sortedText(same) !== sortedText(row)) faults.push(`the record of ${row.visibleId} differs`);
    }
    return faults.slice(0, EXAMPLES_MAX);
  }
}

/**
 * A reader loses its position about once in 200 rows. Readers with small pages seldom restart from the
 * beginning.
 */
function habitsAt(limit: number): Habits {
  return {
    limit,
    restarts: Math.min(0.1, limit / 200),
    fromBeginningBelow: limit * 200,
    pausesMs: { onTheWay: 20, drained: 150 },
  };
}

function sortedText(row: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}
