import { outsideRequests } from '@counterfoil/kernel';

/** What the callers of one process wait for, by its name: those who wait for the same thing share one wait. */
export class SharedWaits<Result> {
  private readonly running = new Map<string, Promise<Result>>();

  /**
   * Joins the wait of this name, or begins one. It goes on if its first caller hangs up.
   *
   * @throws what `begin` throws, to each caller
   */
  join(name: string, begin: () => Promise<Result>): Promise<Result> {
    const known = this.running.get(name);
    if (known) return known;
    const begun = outsideRequests(begin).finally(() => this.running.delete(name));
    this.running.set(name, begun);
    return begun;
  }
}
