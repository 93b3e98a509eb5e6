/** A company counts as calling for this long after its last call came in. */
const CALLING_MS = 10_000;

/**
 * Whether one company alone is calling this process. Then what keeps companies from waiting for each other would only
 * cost it pace.
 */
export class LoneCompany {
  private last: number | null = null;
  /** When the last call came that was of another company than the call before it. */
  private sharedAt = -Infinity;

  note(companyId: number): void {
    if (companyId === this.last) return;
    if (this.last !== null) this.sharedAt = performance.now();
    this.last = companyId;
  }

  isAlone(): boolean {
    return performance.now() - this.sharedAt > CALLING_MS;
  }
}
