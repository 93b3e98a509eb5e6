/** The time that a claim may take while the database has its usual speed. */
const CLAIM_MS = 2_000;

/**
 * How long a claim may take: the lease that it asks for is longer by as much. On a slow database it is allowed twice what
 * the last one took, so that the next one is in time; the allowance falls as claims become faster.
 */
export class ClaimTime {
  private ms = CLAIM_MS;

  get allowedMs(): number {
    return this.ms;
  }

  /** @returns whether it took longer than usual */
  note(tookMs: number): boolean {
    this.ms = Math.max(CLAIM_MS, 2 * tookMs, this.ms / 2);
    return tookMs > CLAIM_MS;
  }
}
