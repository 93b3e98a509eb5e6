import { outsideRequests } from '@counterfoil/kernel';

/** Waits of the callers of one process for files, by name: those who wait for the same file share one wait. */
export class FileWaits<Result> {
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
