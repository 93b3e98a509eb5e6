/** Owners whose documents are deprioritised for a limited time after they were last added. */
export class HeldBackOwners {
  private readonly since = new Map<number, number>();

  /** @param forMs how long an owner is held back */
  constructor(private readonly forMs: number) {}

  add(owner: number): void {
    this.since.set(owner, performance.now());
  }

  has(owner: number): boolean {
    const since = this.since.get(owner);
    if (since === undefined) return false;
    if (performance.now() - since < this.forMs) return true;
    this.since.delete(owner);
    return false;
  }

  all(): readonly number[] {
    return [...this.since.keys()].filter((owner) => this.has(owner));
  }
}
