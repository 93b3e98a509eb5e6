/**
 * A company counts as calling for this long after its last call came in. Longer than between the calls of most
 * schedules, so that a company that calls rarely does not meet another at full load.
 */
const CALLING_MS = 300_000;

/**
 * Detects that only one company calls this process. Measures that keep companies from delaying each other would then
 * only slow it down.
 */
export class LoneCompany {
  private last: number | null = null;
  /** The time of the last call from another company than the call before it. */
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
