import { randomUUID } from 'node:crypto';
import { milliseconds } from '@counterfoil/database';

/**
 * A table of work with leases, declared by its context. All fields are SQL of the context, never input of a
 * caller. Statements refer to the table as `work`.
 */
export interface WorkTable {
  readonly name: string;
  readonly key: string;
  /** The column with the token of the lease, which fences every write. */
  readonly token: string;
  /** The column with the end of the lease. */
  readonly until: string;
  /** The condition of rows whose work is not done. */
  readonly open: string;
  /** The columns that a claim returns. */
  readonly payload: string;
}

/** The lease of a row. The token is null if the creator of the row works on it and nobody has claimed it. */
export interface Lease {
  readonly key: number;
  readonly token: string | null;
}

/** The lease of a new claim: a unique token and a duration. */
export interface NewLease {
  readonly newToken: string;
  readonly lease: string;
}

export const newLease = (ms: number): NewLease => ({ newToken: randomUUID(), lease: milliseconds(ms) });

/** Leases use the server's clock only, so the clocks of processes do not matter. */
export const NOW = 'clock_timestamp()';

/** The condition of rows without a valid lease. */
export const isFree = ({ until }: Pick<WorkTable, 'until'>): string =>
  `(work.${until} is null or work.${until} < ${NOW})`;

/** The condition of rows with a valid lease. */
export const isLeased = ({ until }: WorkTable): string => `work.${until} >= ${NOW}`;

/** The condition of the open row of a `Lease` whose token still matches. */
export const fence = ({ key, token, open }: WorkTable): string =>
  `work.${key} = :key and work.${token} is not distinct from :token and ${open}`;
