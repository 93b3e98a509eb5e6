/** The duration of a lease unless it is renewed. */
export const LEASE_MS = 5_000;
const RENEWAL_MS = 1_000;

/**
 * Renews the leases of the work under way in this process, so that a lease can be short. Work that nobody renews is
 * soon free for another attempt: its worker has died or was stopped, the end of its lease could not be written, or the
 * response to its claim was lost.
 */
export class HeldLeases {
  private readonly held = new Map<string, AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  /**
   * @param renew extends the leases with these tokens, and returns the tokens of those whose work is to go on
   * @param onError called when the leases could not be renewed
   */
  constructor(
    private readonly renew: (tokens: readonly string[], leaseMs: number) => Promise<readonly string[]>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Runs work and renews its lease until it ends.
   *
   * @param work gets a signal that is aborted once the lease is lost, or nobody waits for the work any more
   */
  async during<T>(token: string, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const lost = new AbortController();
    this.held.set(token, lost);
    this.timer ??= setInterval(() => void this.renewAll(), RENEWAL_MS).unref();
    try {
      return await work(lost.signal);
    } finally {
      this.held.delete(token);
      if (this.held.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    }
  }

  private async renewAll(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    const renewed = new Map(this.held);
    try {
      const goingOn = new Set(await this.renew([...renewed.keys()], LEASE_MS));
      for (const [token, lost] of renewed) if (!goingOn.has(token)) lost.abort();
    } catch (error) {
      this.onError(error);
    } finally {
      this.isRenewing = false;
    }
  }
}
