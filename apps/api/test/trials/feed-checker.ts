import { type CommittedTransaction, type FeedRow, stateOf } from './feed-log';
import type { FeedReader, ReadPage, RowTexts } from './feed-reader';
import type { Acknowledged, FeedWriter } from './feed-writer';

const EXAMPLES_MAX = 5;

/** A committed state of a document. Versions increase with each change of the document. */
interface Version {
  readonly id: number;
  readonly version: number;
}

/**
 * A version that a caller knows. Every reader that requests a page later and drains the feed must have seen
 * it.
 */
interface KnownVersion extends Version {
  /** By `performance.now()`, in milliseconds. */
  readonly at: number;
}

/** The committed changes, in order. */
export class History {
  readonly transactions: readonly (readonly Version[])[];
  readonly changes: number;
  private readonly versions = new Map<string, number>();

  constructor(transactions: readonly CommittedTransaction[]) {
    let version = 0;
    this.transactions = transactions.map(({ documents }) =>
      documents.map(({ id, state }) => {
        this.versions.set(`${id}|${state}`, ++version);
        return { id, version };
      }),
    );
    this.changes = version;
  }

  /**
   * Returns the version of a row; undefined if this state was never committed. If a document had the same
   * state several times, the last one counts.
   */
  versionOf(row: FeedRow): number | undefined {
    return this.versions.get(`${row.id}|${stateOf(row)}`);
  }
}

/** Matches the committed changes with the acknowledged ones: the n-th with the n-th. */
export function matchAcknowledged(
  writers: readonly FeedWriter[],
  history: History,
): { readonly known: readonly KnownVersion[]; readonly faults: readonly string[] } {
  const owners = new Map(writers.flatMap((writer) => [...writer.issued].map((id) => [id, writer] as const)));
  const turns = new Map(writers.map((writer) => [writer, 0]));
  const known: KnownVersion[] = [];
  const faults: string[] = [];
  for (const transaction of history.transactions) {
    const writer = owners.get(transaction[0]?.id ?? 0);
    const turn = writer === undefined ? 0 : (turns.get(writer) ?? 0);
    const acknowledged = writer?.acknowledged[turn];
    if (!writer || !acknowledged || !concerns(transaction, acknowledged)) {
      faults.push(`committed, and not acknowledged in this order: documents ${idsOf(transaction)}`);
      continue;
    }
    turns.set(writer, turn + 1);
    known.push(...transaction.map((version) => ({ ...version, at: acknowledged.at })));
  }
  const left = writers.map((writer) => writer.acknowledged.length - (turns.get(writer) ?? 0));
  faults.push(
    ...left.filter((count) => count > 0).map((count) => `${count} acknowledged, and not committed`),
  );
  return { known: known.sort((a, b) => a.at - b.at), faults: faults.slice(0, EXAMPLES_MAX) };
}

const idsOf = (transaction: readonly Version[]) => transaction.map(({ id }) => id).join(', ');

const concerns = (transaction: readonly Version[], { documentId }: Acknowledged) =>
  transaction.some(({ id }) => id === documentId);

/** The result of comparing one reader with the history. */
export interface Verdict {
  /**
   * Number of changes that were acknowledged before a page was requested, but missing when that reader had
   * drained the feed.
   */
  readonly missed: number;
  /** Number of rows with a state that was never committed. */
  readonly phantoms: number;
  /** Number of rows older than what the reader already had. */
  readonly regressions: number;
  readonly drains: number;
  readonly restarts: number;
  readonly examples: readonly string[];
}

export function judge(
  reader: FeedReader,
  texts: RowTexts,
  history: History,
  known: readonly KnownVersion[],
): Verdict {
  const view = new View(known);
  for (const page of reader.pages) {
    if (page.fromBeginning) view.forget();
    for (const { row, version } of versionsOn(page, texts, history)) view.upsert(row, version);
    if (page.drained) view.mustHold(page.sentAt);
  }
  const limit = `limit ${reader.habits.limit}`;
  return { ...view.count, examples: view.examples.slice(0, EXAMPLES_MAX).map((text) => `${limit}: ${text}`) };
}

/** The state that a reader has. */
class View {
  readonly count = { missed: 0, phantoms: 0, regressions: 0, drains: 0, restarts: 0 };
  readonly examples: string[] = [];
  private readonly versions = new Map<number, number>();
  private checked = 0;

  constructor(private readonly known: readonly KnownVersion[]) {}

  forget(): void {
    this.versions.clear();
    this.checked = 0;
    this.count.restarts += 1;
  }

  upsert(row: FeedRow, version: number | undefined): void {
    if (version === undefined) {
      this.count.phantoms += 1;
      this.examples.push(`never committed: ${JSON.stringify(row)}`);
      return;
    }
    if (version < (this.versions.get(row.id) ?? 0)) this.count.regressions += 1;
    this.versions.set(row.id, version);
  }

  /**
   * Checks acknowledged changes once. A reader's state never becomes older, so a change that was found need
   * not be checked again.
   */
  mustHold(until: number): void {
    this.count.drains += 1;
    for (; (this.known[this.checked]?.at ?? Infinity) <= until; this.checked++) {
      const change = this.known[this.checked];
      if (!change || (this.versions.get(change.id) ?? 0) >= change.version) continue;
      this.count.missed += 1;
      this.examples.push(
        `missed: document ${change.id}, ${Math.round(until - change.at)} ms after its change`,
      );
    }
  }
}

/**
 * Returns the time from the acknowledgement of each change until a reader without restarts saw the document
 * in that state or a later one, in milliseconds. Infinity if it never did.
 */
export function lags(
  tail: FeedReader,
  texts: RowTexts,
  history: History,
  known: readonly KnownVersion[],
): number[] {
  const seen = new Map<number, { readonly version: number; readonly at: number }[]>();
  for (const page of tail.pages) {
    for (const { row, version } of versionsOn(page, texts, history)) {
      const ofDocument = seen.get(row.id) ?? [];
      seen.set(row.id, ofDocument);
      ofDocument.push({ version: version ?? 0, at: page.receivedAt });
    }
  }
  return known.map(({ id, version, at }) => {
    const first = seen.get(id)?.find((one) => one.version >= version);
    return first ? Math.max(0, first.at - at) : Infinity;
  });
}

function versionsOn(page: ReadPage, texts: RowTexts, history: History) {
  return page.rows.flatMap((text) => {
    const row = texts.rows[text];
    return row ? [{ row, version: history.versionOf(row) }] : [];
  });
}
