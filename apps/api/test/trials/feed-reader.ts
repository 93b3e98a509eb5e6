import { setTimeout as sleep } from 'node:timers/promises';
import { chance, type Company, oneOf, read } from './company';
import type { FeedRow } from './feed-log';

const BEGINNING = '1970-01-01T00:00:00Z';
const NOTED_MAX = 20;
const FAULTS_MAX = 10;

interface FeedAnswer {
  readonly data: readonly FeedRow[];
  readonly total: number;
  readonly pagination: { readonly total: number; readonly limit: number; readonly hasMore: boolean };
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** Stores each row text once, because all readers get the same ones. Rows are represented by numbers. */
export class RowTexts {
  readonly rows: FeedRow[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(row: FeedRow): number {
    const text = JSON.stringify(row);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.rows.length);
    return this.rows.push(row) - 1;
  }
}

/** One batch as a reader received it. Times are milliseconds by `performance.now()`. */
export interface ReadPage {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** True if the reader discarded its state before it requested this page. */
  readonly fromBeginning: boolean;
  /** True if the service reported that the feed has ended. */
  readonly drained: boolean;
  /** Numbers from `RowTexts`. */
  readonly rows: readonly number[];
}

export interface Habits {
  readonly limit: number;
  /** Probability that the reader discards its cursor after a page. */
  readonly restarts: number;
  /**
   * It restarts from the beginning only if it has fewer documents than this. Otherwise it would never reach
   * the end.
   */
  readonly fromBeginningBelow: number;
  /** Pauses after a page: while others write, and after the last page of the feed. */
  readonly pausesMs: { readonly onTheWay: number; readonly drained: number };
}

/** Reads the feed like a consumer: upserts by `visibleId`, stores the cursor, and loses it at random. */
export class FeedReader {
  readonly pages: ReadPage[] = [];
  /** Faulty pages. Only the first are kept. */
  readonly faults: string[] = [];
  readonly upserted = new Map<string, number>();
  private cursor: string | null = null;
  private since = BEGINNING;
  private forgetful = true;
  private lastChange = '';
  private readonly noted: string[] = [];

  constructor(
    private readonly company: Company,
    private readonly texts: RowTexts,
    readonly habits: Habits,
  ) {}

  /** Reads until the feed ended and `isOver` was true before that page was requested. */
  async readUntil(isOver: () => boolean): Promise<void> {
    for (;;) {
      const over = isOver();
      const drained = await this.readPage();
      if (over && drained) return;
      if (over) continue;
      const { drained: whenDrained, onTheWay } = this.habits.pausesMs;
      await sleep(drained ? whenDrained : onTheWay);
      if (chance(this.habits.restarts)) this.restart();
    }
  }

  /** Restarts with the time of the last row of some batch. All changes since then are repeated. */
  private restart(): void {
    this.cursor = null;
    this.lastChange = '';
    this.forgetful = this.upserted.size < this.habits.fromBeginningBelow && chance(0.5);
    if (this.forgetful) {
      this.upserted.clear();
      this.noted.length = 0;
    }
    this.since = this.forgetful ? BEGINNING : (this.noted[oneOf(this.noted.length)] ?? BEGINNING);
  }

  private async readPage(): Promise<boolean> {
    const { limit } = this.habits;
    const sent = this.cursor;
    const place = sent === null ? `updatedSince=${this.since}` : `cursor=${sent}`;
    const sentAt = performance.now();
    const answer = await this.company.get(`/documents?limit=${limit}&${place}`);
    const receivedAt = performance.now();
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}: ${answer.text}`);
    const page = read<FeedAnswer>(answer);
    this.inspect(page, sent);
    const rows = page.data.map((row) => this.texts.numberOf(row));
    this.pages.push({ sentAt, receivedAt, fromBeginning: this.forgetful, drained: !page.hasMore, rows });
    this.forgetful = false;
    page.data.forEach(({ visibleId }, index) => this.upserted.set(visibleId, rows[index] ?? -1));
    this.moveTo(page);
    return !page.hasMore;
  }

  private moveTo({ data, nextCursor }: FeedAnswer): void {
    this.cursor = nextCursor;
    const last = data.at(-1);
    if (!last) return;
    this.lastChange = last.updatedAt;
    this.noted.push(last.updatedAt);
    if (this.noted.length > NOTED_MAX) this.noted.shift();
  }

  private inspect({ data, total, pagination, nextCursor, hasMore }: FeedAnswer, sent: string | null): void {
    const { limit } = this.habits;
    const count = data.length;
    this.require(count <= limit, `${count} rows at limit ${limit}`);
    this.require(hasMore === total > count, `hasMore ${hasMore} with ${count} of ${total}`);
    this.require(total >= count, `a total of ${total} with ${count} rows`);
    this.require(!hasMore || count === limit, `a short page of ${count} with hasMore at limit ${limit}`);
    this.require(
      pagination.total === total && pagination.hasMore === hasMore && pagination.limit === limit,
      `another pagination: ${JSON.stringify(pagination)}`,
    );
    const moves = count === 0 ? nextCursor === sent : nextCursor !== null && nextCursor !== sent;
    this.require(moves, `a page of ${count} rows after ${sent} leads to ${nextCursor}`);
    this.require(
      new Set(data.map(({ visibleId }) => visibleId)).size === count,
      'a document twice in a page',
    );
    const times = [this.lastChange, ...data.map(({ updatedAt }) => updatedAt)];
    const inOrder = times.every((time, index) => index === 0 || (times[index - 1] ?? '') <= time);
    this.require(inOrder, `changes out of order: ${times.join(' ')}`);
  }

  private require(condition: boolean, fault: string): void {
    if (!condition && this.faults.length < FAULTS_MAX)
      this.faults.push(`limit ${this.habits.limit}: ${fault}`);
  }
}

/** Reads the whole feed without concurrent changes. Returns the wrong totals. */
export async function quietSweep(company: Company, limit: number, documents: number): Promise<string[]> {
  const faults: string[] = [];
  let place = `updatedSince=${BEGINNING}`;
  for (let left = documents; ;) {
    const page = read<FeedAnswer>(await company.get(`/documents?limit=${limit}&${place}`));
    if (page.total !== left) faults.push(`a total of ${page.total} where ${left} are left`);
    left -= page.data.length;
    if (!page.hasMore) return left === 0 ? faults : [...faults, `drained with ${left} left`];
    place = `cursor=${page.nextCursor}`;
  }
}
