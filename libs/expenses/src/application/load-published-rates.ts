import { Config } from '@counterfoil/config';
import { businessHourOf, Clock, type PlainDate, plainDateOf } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { daysBefore } from '../domain/exchange-rate';
import { ImportPublishedRates } from './import-published-rates';
import { RatePollState } from './ports/rate-poll-state';
import { PublishedRates } from './ports/published-rates';

/**
 * Rates are published in the afternoon at no fixed time. From this hour of a business day on they are usually
 * available.
 */
const PUBLISHED_FROM_HOUR = 17;
/** Longer than any poll takes. A poll that started earlier was interrupted. */
const LOOK_MAX_MS = 10 * 60_000;
/** These days are read again with each poll, for rates that were published late or revised. */
const OVERLAP_DAYS = 7;
/** Maximum period of the first poll, and of a poll after a long interruption. */
const CATCH_UP_DAYS_MAX = 365;
const REFUSED_LOGGED_MAX = 20;

/**
 * Loads published rates once a day, in whichever worker starts first, if a source is configured (contract
 * §11.10).
 */
@Injectable()
export class LoadPublishedRates {
  constructor(
    private readonly config: Config,
    private readonly polls: RatePollState,
    private readonly published: PublishedRates,
    private readonly importPublishedRates: ImportPublishedRates,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Polls once for each day after its rates should be available, and includes the days since the last poll.
   * If a poll fails, a later call repeats it.
   *
   * @param signal aborts the poll; it can be repeated ten minutes later
   * @throws PublishedRatesUnavailable if the response contains no usable rates; nothing is saved then
   */
  async execute(signal?: AbortSignal): Promise<void> {
    const { source } = this.config.exchangeRates;
    if (source === 'off') return;
    const now = this.clock.now();
    const today = plainDateOf(now);
    const day = businessHourOf(now) < PUBLISHED_FROM_HOUR ? daysBefore(today, 1) : today;
    const unlessBegunAfter = new Date(now.getTime() - LOOK_MAX_MS);
    const begun = await this.polls.begin(source, day, now, unlessBegunAfter);
    if (!begun) return;
    const { rates, refused } = await this.published.ratesSince(firstDay(day, begun.lookedOn), signal);
    if (refused.length > 0) {
      const fields = { source, refused: refused.slice(0, REFUSED_LOGGED_MAX), count: refused.length };
      this.log.warn(fields, 'implausible published rates were left out');
    }
    const saved = await this.importPublishedRates.execute(rates, signal);
    if (signal?.aborted) return;
    // The rates of the day may be late. On a holiday there are none, and polling continues until the next
    // day.
    if (isWeekend(day) || rates.some(({ date }) => date === day)) await this.polls.succeed(source, day);
    this.log.info({ source, day, ...saved }, 'published rates were loaded');
  }
}

/** True for days that never have rates. */
function isWeekend(day: PlainDate): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

function firstDay(day: PlainDate, lookedOn: PlainDate | null): PlainDate {
  const earliest = daysBefore(day, CATCH_UP_DAYS_MAX);
  if (lookedOn === null) return earliest;
  const again = daysBefore(lookedOn, OVERLAP_DAYS);
  return again > earliest ? again : earliest;
}
