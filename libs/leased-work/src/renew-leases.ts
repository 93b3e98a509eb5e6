import { milliseconds, type Statements } from '@counterfoil/database';
import type { renewalOf } from './leased-work.sql';

/** Extends leases. Returns the tokens that still hold their lease, and whose work is wanted. */
export async function renewLeases(
  statements: Statements,
  renewal: ReturnType<typeof renewalOf>,
  tokens: readonly string[],
  leaseMs: number,
): Promise<readonly string[]> {
  const renewed = await statements.rows(renewal, { tokens, lease: milliseconds(leaseMs) });
  return renewed.filter(({ isWanted }) => isWanted).map(({ token }) => token);
}
