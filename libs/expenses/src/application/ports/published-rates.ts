import type { PlainDate } from '@counterfoil/kernel';
import type { DayRate } from '../../domain/exchange-rate';

export interface PublishedSince {
  /** Each currency and day at most once. Days without published rates are missing. */
  readonly rates: readonly DayRate[];
  /** Implausible values, one line each, for the log. */
  readonly refused: readonly string[];
}

/** The response contains no usable rates. The message states the reason for the log. */
export class PublishedRatesUnavailable extends Error {}

/** A source of published exchange rates. */
export abstract class PublishedRates {
  /**
   * Returns the rates published for this day and later ones.
   *
   * @param signal aborts the request
   * @throws PublishedRatesUnavailable
   */
  abstract ratesSince(date: PlainDate, signal?: AbortSignal): Promise<PublishedSince>;
}
