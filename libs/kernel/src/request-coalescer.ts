import { sharedByCallers } from './request-scope';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces concurrent calls into batches. A call that arrives during a batch joins the next one, so it never
 * sees data older than itself.
 */
export class RequestCoalescer<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;

  /**
   * @param work returns one result for each item, in the same order
   * @param patienceMs after this time the next batch starts although the current one has not ended, so that a
   *   hanging connection delays only its own batch
   * @param onIdle called when no call waits any more
   */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly patienceMs: number,
    private readonly onIdle: () => void = () => undefined,
  ) {}

  /** Adds the item to the next batch. If `work` throws, all calls of the batch fail with its error. */
  submit(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    if (!this.running) void this.run();
    return result;
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      await this.awaitOrTimeOut(this.serve(batch));
    }
    this.running = false;
    this.onIdle();
  }

  /** Uses a bare timer, because this runs for every request of a busy process. */
  private awaitOrTimeOut(served: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.patienceMs);
      timer.unref();
      void served.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async serve(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await sharedByCallers(() => this.work(batch.map(({ item }) => item)));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
