import { KeyedSemaphore } from './keyed-semaphore';

export interface LoopTurnsOptions<Key> {
  /** Pieces of work in one iteration of the event loop. */
  readonly perTurn: number;
  /** Pieces of one key that may wait at once; more are refused. Unbounded by default. */
  readonly waitingMax?: number;
  /** A piece that has waited this long is refused. */
  readonly waitMaxMs: number;
  /** The message of the error `UNAVAILABLE`. */
  readonly message: string;
  /** The pause after a piece of at least one millisecond, as a multiple of its duration. Default: 3. */
  readonly pauses?: (key: Key) => number;
}

/** Shorter pieces need no pause. */
const SHORT_MS = 1;
export const PAUSES = 3;
const PAUSE_MAX_MS = 100;

/**
 * Bounds the CPU-bound work of a kind in each iteration of the event loop, and serves waiting keys in turn
 * (round robin). Other work runs between the pieces, so a key with a thousand pieces delays everything else
 * by one piece at a time. A pause follows a piece that took milliseconds, by default three times as long:
 * answering a request takes several iterations, and without pauses a piece would delay each of them.
 */
export class LoopTurns<Key> {
  private readonly semaphore: KeyedSemaphore<Key>;
  private readonly pauses: (key: Key) => number;

  constructor({ perTurn, pauses = () => PAUSES, ...limits }: LoopTurnsOptions<Key>) {
    this.pauses = pauses;
    this.semaphore = new KeyedSemaphore({ openMax: perTurn, openInAllMax: perTurn, ...limits });
  }

  /**
   * Resolves when the piece may run. The caller must then run it synchronously.
   *
   * @param isAbandoned whether the caller has hung up: then the piece is refused
   * @throws AppError `UNAVAILABLE` when its turn does not come in time, or too many pieces of the key wait
   */
  async take(key: Key, isAbandoned?: () => boolean): Promise<void> {
    await this.semaphore.enter(key, isAbandoned);
    const started = performance.now();
    let tookMs = 0;
    // Runs right after the piece, before other work of this iteration.
    process.nextTick(() => (tookMs = performance.now() - started));
    // The next piece starts after all events that arrived meanwhile.
    setImmediate(() => this.rest(key, tookMs));
  }

  private rest(key: Key, tookMs: number): void {
    const pauseMs = tookMs < SHORT_MS ? 0 : Math.min(this.pauses(key) * tookMs, PAUSE_MAX_MS);
    if (pauseMs === 0) this.semaphore.leave(key);
    else setTimeout(() => this.semaphore.leave(key), pauseMs);
  }
}
