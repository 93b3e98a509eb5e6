import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { BEGINNING, type ChainLink, hashOf } from './audit-entry';
import { COUNT_STAGED, FIND_COMPANIES, FIND_REMOVAL, NEXT_SEALED, type SealedEntry } from './audit-log.sql';

const BATCH = 1_000;

export type ChainFault = 'missing' | 'tampered';

/** The check of one company's log. */
export interface VerifiedChain {
  readonly companyId: number;
  /** Entries that were checked, up to the fault. */
  readonly entries: number;
  /** The last entry. Keep both outside of the database: a log that was cut off after it no longer has them. */
  readonly position: number;
  readonly hash: string;
  /** The first position that is not as it was written: null if there is none. */
  readonly fault: { readonly position: number; readonly problem: ChainFault } | null;
}

export interface VerifiedLog {
  readonly companies: number;
  readonly entries: number;
  /** Changes that the worker has not yet appended to the log. */
  readonly unsealed: number;
  readonly faults: number;
}

/** A position and hash that a former check returned. */
export interface KnownEntry {
  readonly position: number;
  readonly hash: string;
}

/** Computes the hashes of all entries again. */
@Injectable()
export class VerifyAuditLog {
  constructor(private readonly sql: Sql) {}

  /**
   * @param companyId null: all companies
   * @param known an entry that the log of the company must contain
   * @param report gets the result of each company
   */
  async execute(
    companyId: number | null,
    known: KnownEntry | null,
    report: (chain: VerifiedChain) => void,
  ): Promise<VerifiedLog> {
    const found = await this.sql.rows(FIND_COMPANIES, {});
    const companyIds = companyId === null ? found.map((row) => row.companyId) : [companyId];
    let [entries, faults] = [0, 0];
    for (const id of companyIds) {
      const chain = await this.verify(id, known);
      report(chain);
      entries += chain.entries;
      faults += chain.fault ? 1 : 0;
    }
    const { count: unsealed } = await this.sql.only(COUNT_STAGED, { companyId });
    return { companies: companyIds.length, entries, unsealed, faults };
  }

  /** Starts again if entries were removed by the rules after the start, because these seem to be missing. */
  private async verify(companyId: number, known: KnownEntry | null): Promise<VerifiedChain> {
    let start = await this.startOf(companyId);
    for (;;) {
      const chain = await this.verifyFrom(start, companyId, known);
      if (chain.fault?.problem !== 'missing') return chain;
      const { position } = start;
      start = await this.startOf(companyId);
      if (start.position === position) return chain;
    }
  }

  /** The entry to which the first one is chained. */
  private async startOf(companyId: number): Promise<ChainLink> {
    return (await this.sql.first(FIND_REMOVAL, { companyId })) ?? BEGINNING;
  }

  private async verifyFrom(
    start: ChainLink,
    companyId: number,
    known: KnownEntry | null,
  ): Promise<VerifiedChain> {
    let { position, hash } = start;
    let entries = 0;
    const result = (fault: VerifiedChain['fault']): VerifiedChain => ({
      companyId,
      entries,
      position,
      hash: hash.toString('hex'),
      fault,
    });
    for await (const batch of this.batches(companyId)) {
      for (const entry of batch) {
        const problem = problemOf(entry, { position, hash }, known);
        if (problem) return result({ position: position + 1, problem });
        ({ position, hash } = entry);
        entries += 1;
      }
    }
    const isCutOff = known !== null && known.position > position;
    return result(isCutOff ? { position: position + 1, problem: 'missing' } : null);
  }

  private batches(companyId: number) {
    return inBatches<SealedEntry>(BATCH, (last) =>
      this.sql.rows(NEXT_SEALED, { companyId, after: last?.position ?? 0, limit: BATCH }),
    );
  }
}

/** An entry in the place of another one has another content, so exchanged entries are tampered with. */
function problemOf(entry: SealedEntry, before: ChainLink, known: KnownEntry | null): ChainFault | null {
  const { position, hash } = entry;
  if (position !== before.position + 1) return 'missing';
  if (!hashOf(before.hash, entry).equals(hash)) return 'tampered';
  return position === known?.position && hash.toString('hex') !== known.hash ? 'tampered' : null;
}
