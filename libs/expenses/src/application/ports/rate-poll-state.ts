import type { PlainDate } from '@counterfoil/kernel';

export interface BegunLook {
  /** The day of the last successful poll; null if there is none. */
  readonly lookedOn: PlainDate | null;
}

/** Stores when published rates were polled, for all workers. */
export abstract class RatePollState {
  /**
   * Starts the poll of a day. Returns null if one has succeeded, or was started after `unlessBegunAfter` by
   * any process. Of several concurrent calls, only one succeeds.
   */
  abstract begin(
    source: string,
    day: PlainDate,
    now: Date,
    unlessBegunAfter: Date,
  ): Promise<BegunLook | null>;

  abstract succeed(source: string, day: PlainDate): Promise<void>;
}
