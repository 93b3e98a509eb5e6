import type { PlainDate } from '@counterfoil/kernel';
import type { DayRate } from '../../domain/exchange-rate';

export interface PublishedSince {
  /** Each currency and day once. Days on which nothing was published are missing. */
  readonly rates: readonly DayRate[];
  /** Published values that cannot be right, one line each, for the log. */
  readonly refused: readonly string[];
}

/** There is no answer that rates could be read from. The message says why, and is fit for the log. */
export class PublishedRatesUnavailable extends Error {}

/** Where exchange rates are published. */
export abstract class PublishedRates {
  /**
   * Returns the rates that were published for this day and later ones.
   *
   * @param signal ends the request
   * @throws PublishedRatesUnavailable
   */
  abstract ratesSince(date: PlainDate, signal?: AbortSignal): Promise<PublishedSince>;
}
