import { Gates } from './gates';

export interface LoopTurnsOptions<Key> {
  /** Pieces of work in one turn of the event loop. */
  readonly perTurn: number;
  /** Pieces of one key that may wait at once; more are refused. No bound when left out. */
  readonly waitingMax?: number;
  /** A piece that has waited this long is refused. */
  readonly waitMaxMs: number;
  /** The message of a refusal, with `UNAVAILABLE`. */
  readonly message: string;
  /** How long to pause after a key's piece that took milliseconds, in times of the piece: 3 when left out. */
  readonly pauses?: (key: Key) => number;
}

/** A piece that takes less needs no pause. */
const SHORT_MS = 1;
export const PAUSES = 3;
const PAUSE_MAX_MS = 100;

/**
 * Bounds the work of a kind in each turn of the event loop, and deals it to the keys that wait in turn (round robin).
 * All other work goes on between the turns: one key with a thousand pieces delays everybody else by one turn at a time.
 * A piece that takes milliseconds is followed by a pause, three times as long as itself unless told otherwise: a request
 * takes several turns to be answered, and would wait for a piece in each of them.
 */
export class LoopTurns<Key> {
  private readonly gates: Gates<Key>;
  private readonly pauses: (key: Key) => number;

  constructor({ perTurn, pauses = () => PAUSES, ...limits }: LoopTurnsOptions<Key>) {
    this.pauses = pauses;
    this.gates = new Gates({ openMax: perTurn, openInAllMax: perTurn, ...limits });
  }

  /**
   * Resolves when the piece may be done, which the caller then does without waiting for anything.
   *
   * @param isAbandoned whether nobody wants the result any more: then the piece is refused
   * @throws AppError `UNAVAILABLE` when its turn does not come in time, or too many pieces of the key wait
   */
  async take(key: Key, isAbandoned?: () => boolean): Promise<void> {
    await this.gates.enter(key, isAbandoned);
    const started = performance.now();
    let tookMs = 0;
    // Behind the piece, and before anything else of the turn.
    process.nextTick(() => (tookMs = performance.now() - started));
    // The next piece begins behind everything that came meanwhile.
    setImmediate(() => this.rest(key, tookMs));
  }

  private rest(key: Key, tookMs: number): void {
    const pauseMs = tookMs < SHORT_MS ? 0 : Math.min(this.pauses(key) * tookMs, PAUSE_MAX_MS);
    if (pauseMs === 0) this.gates.leave(key);
    else setTimeout(() => this.gates.leave(key), pauseMs);
  }
}
