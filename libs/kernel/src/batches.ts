import { sharedByCallers } from './request-scope';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does for many at once what each asks for alone. Who asks while a batch is under way is served by the next one, so that
 * each item is worked on after it was asked for: sharing costs nobody anything that has happened meanwhile.
 */
export class Batches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;

  /**
   * @param work answers a result for each item, in their order
   * @param patienceMs after which the next batch begins though one has not ended, so that a connection that says nothing
   *   holds up only those who wait for it
   * @param onIdle called when nobody waits any more
   */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly patienceMs: number,
    private readonly onIdle: () => void = () => undefined,
  ) {}

  /** Throws what the work throws, as do all that are in the same batch. */
  ask(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    if (!this.running) void this.run();
    return result;
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      await this.endedOrOutOfPatience(this.serve(batch));
    }
    this.running = false;
    this.onIdle();
  }

  /** A timer and no more: this runs for every request of a busy process. */
  private endedOrOutOfPatience(served: Promise<void>): Promise<void> {
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
