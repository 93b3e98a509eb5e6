import { Sql, within } from '@counterfoil/database';
import { type Backlog, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { BEGINNING, type ChainLink, hashOf } from './audit-entry';
import {
  APPEND,
  BACKLOG,
  FIND_ENDS,
  FIND_STAGED,
  PERMIT_REMOVAL,
  REMOVE_STAGED,
  type StagedEntry,
  TRY_LOCK,
} from './audit-log.sql';

/** Its transaction takes some 100 milliseconds. */
const BATCH = 1_000;

/**
 * Appends the staged changes to the log of their company, chained by hashes. Changes are staged in their own
 * transactions, which therefore wait for no other change. Here one transaction at a time extends the chains.
 */
@Injectable()
export class SealAuditLog {
  constructor(
    private readonly transactions: Transactions,
    private readonly sql: Sql,
  ) {}

  /** @param signal stops after the current batch */
  async execute(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.transactions.run(sealSome)) === BATCH);
  }

  backlog(): Promise<Backlog> {
    return this.sql.only(BACKLOG, {});
  }
}

/** @returns how many entries were appended; none if another process is appending */
async function sealSome(tx: Transaction): Promise<number> {
  const statements = within(tx);
  if (!(await statements.only(TRY_LOCK, {})).taken) return 0;
  const staged = await statements.rows(FIND_STAGED, { limit: BATCH });
  if (staged.length === 0) return 0;
  const companyIds = [...new Set(staged.map(({ companyId }) => companyId))];
  const ends = await statements.rows(FIND_ENDS, { companyIds });
  const entries = chained(staged, new Map(ends.map((end) => [end.companyId, end])));
  await statements.rows(APPEND, { entries });
  await statements.rows(PERMIT_REMOVAL, { marker: 'sealing' });
  await statements.rows(REMOVE_STAGED, { ids: staged.map(({ id }) => id) });
  return staged.length;
}

function chained(
  staged: readonly StagedEntry[],
  ends: ReadonlyMap<number, ChainLink>,
): (ChainLink & { readonly id: number })[] {
  const last = new Map(ends);
  return staged.map(({ id, ...content }) => {
    const { position, hash } = last.get(content.companyId) ?? BEGINNING;
    const entry = { ...content, position: position + 1 };
    const link = { position: entry.position, hash: hashOf(hash, entry) };
    last.set(content.companyId, link);
    return { id, ...link };
  });
}
