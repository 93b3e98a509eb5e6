import { setTimeout as sleep } from 'node:timers/promises';
import type { ResealedRow, SealedRows } from './sealed-rows';

const ROWS_AT_ONCE = 200;
/**
 * Passes over the rows of one kind. Two are usual, of which the second finds nothing to do. Rows that others change or
 * lock meanwhile need more.
 */
const PASSES_MAX = 5;
const PASS_PAUSE_MS = 200;
/** Rows that nobody can decrypt are named in the report up to this number. */
const NAMED_MAX = 20;

/** The state of a pass over the rows of one kind. */
export interface ReencryptionProgress {
  readonly name: string;
  readonly pass: number;
  readonly read: number;
  readonly reencrypted: number;
}

export interface Reencryption {
  /** Rows read in the last pass. */
  readonly rows: number;
  readonly reencrypted: number;
  /** Rows that were not encrypted with the first key in the last pass. Zero means that none is left. */
  readonly remaining: number;
  /** Rows that no key decrypts, and the names of the first ones. */
  readonly unreadable: number;
  readonly unreadableRows: readonly string[];
}

/**
 * Encrypts the secrets of all rows with the first key, beside processes that read and write them. It passes over the
 * rows until one pass finds nothing to do: the proof that no row needs another key. It may be interrupted and repeated
 * at any time, because each batch is committed, and rows with the first key are only read.
 */
export async function reencrypt<Row>(
  rows: SealedRows<Row>,
  report: (progress: ReencryptionProgress) => void,
): Promise<Reencryption> {
  let reencrypted = 0;
  for (let pass = 1; ; pass += 1) {
    const found = await passOver(rows, ({ read, reencrypted: inPass }) =>
      report({ name: rows.name, pass, read, reencrypted: reencrypted + inPass }),
    );
    reencrypted += found.reencrypted;
    if (found.outdated > 0 && pass < PASSES_MAX) {
      await sleep(PASS_PAUSE_MS);
      continue;
    }
    const { read, outdated, unreadable, unreadableRows } = found;
    return { rows: read, reencrypted, remaining: outdated + unreadable, unreadable, unreadableRows };
  }
}

/** The findings of one pass. */
interface Pass {
  read: number;
  /** Rows that were not encrypted with the first key when they were read, and could be decrypted. */
  outdated: number;
  reencrypted: number;
  unreadable: number;
  readonly unreadableRows: string[];
}

async function passOver<Row>(rows: SealedRows<Row>, report: (found: Pass) => void): Promise<Pass> {
  const found: Pass = { read: 0, outdated: 0, reencrypted: 0, unreadable: 0, unreadableRows: [] };
  for (let last: Row | null = null; ;) {
    const batch: readonly Row[] = await rows.after(last, ROWS_AT_ONCE);
    const changes = batch.flatMap((row) => changeOf(rows, row, found));
    found.read += batch.length;
    found.outdated += changes.length;
    if (changes.length > 0) found.reencrypted += await rows.replace(changes);
    report(found);
    last = batch.at(-1) ?? null;
    if (batch.length < ROWS_AT_ONCE) return found;
  }
}

function changeOf<Row>(rows: SealedRows<Row>, before: Row, found: Pass): ResealedRow<Row>[] {
  try {
    const after = rows.reseal(before);
    return after === null ? [] : [{ before, after }];
  } catch {
    found.unreadable += 1;
    if (found.unreadableRows.length < NAMED_MAX) found.unreadableRows.push(rows.describe(before));
    return [];
  }
}
