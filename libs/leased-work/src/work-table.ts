import { randomUUID } from 'node:crypto';
import { milliseconds } from '@counterfoil/database';

/**
 * A table of work and its leases, declared by its context. Everything here is SQL text of the context, never input of a
 * caller. Statements refer to the table as `work`.
 */
export interface WorkTable {
  readonly name: string;
  readonly key: string;
  /** The column that holds the token of the lease: the fence of every write. */
  readonly token: string;
  /** The column that holds the end of the lease. */
  readonly until: string;
  /** The condition of rows whose work is not done. */
  readonly open: string;
  /** The columns that a claim returns. */
  readonly payload: string;
}

/** The lease of one row. The token is null for the creator of a row that nobody has claimed. */
export interface Lease {
  readonly key: number;
  readonly token: string | null;
}

/** The lease of a claim: a token of its own, for a span of time. */
export interface NewLease {
  readonly newToken: string;
  readonly lease: string;
}

export const newLease = (ms: number): NewLease => ({ newToken: randomUUID(), lease: milliseconds(ms) });

/** The server judges and sets every lease by its own clock, so processes need not agree on the time. */
export const NOW = 'clock_timestamp()';

/** The condition of rows without a lease, or with one that has ended. */
export const isFree = ({ until }: Pick<WorkTable, 'until'>): string =>
  `(work.${until} is null or work.${until} < ${NOW})`;

/** The condition of rows with a lease that has not ended. */
export const isLeased = ({ until }: WorkTable): string => `work.${until} >= ${NOW}`;

/** The condition of the open row of a `Lease`, as long as its token is that of the lease. */
export const fence = ({ key, token, open }: WorkTable): string =>
  `work.${key} = :key and work.${token} is not distinct from :token and ${open}`;
