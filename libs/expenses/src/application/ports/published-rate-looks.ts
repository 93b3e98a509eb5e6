import type { PlainDate } from '@counterfoil/kernel';

export interface BegunLook {
  /** The day of the last look that succeeded; null when none has. */
  readonly lookedOn: PlainDate | null;
}

/** When published rates were looked for, by all workers together. */
export abstract class PublishedRateLooks {
  /**
   * Begins the look of a day. Null when that has succeeded already, or was begun after `unlessBegunAfter`, by whomever.
   * Of several who ask at once one is let.
   */
  abstract begin(
    source: string,
    day: PlainDate,
    now: Date,
    unlessBegunAfter: Date,
  ): Promise<BegunLook | null>;

  abstract succeed(source: string, day: PlainDate): Promise<void>;
}
