import type { PlainDate } from '@counterfoil/kernel';

export interface BegunLook {
  /** The day of the last look that succeeded; null when none has. */
  readonly lookedOn: PlainDate | null;
}

/** When published rates were looked for, by all workers together. */
export abstract class RatePollState {
  /**
   * Starts the poll of a day. Null if one has succeeded, or was started after `unlessBegunAfter` by any process. Of
   * concurrent calls, one succeeds.
   */
  abstract begin(
    source: string,
    day: PlainDate,
    now: Date,
    unlessBegunAfter: Date,
  ): Promise<BegunLook | null>;

  abstract succeed(source: string, day: PlainDate): Promise<void>;
}
