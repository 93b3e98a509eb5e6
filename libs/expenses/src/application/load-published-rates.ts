import { Config } from '@counterfoil/config';
import { Clock, type PlainDate, plainDateOf } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { daysBefore } from '../domain/exchange-rate';
import { ImportPublishedRates } from './import-published-rates';
import { RatePollState } from './ports/rate-poll-state';
import { PublishedRates } from './ports/published-rates';

const HOUR_MS = 3_600_000;
/** Rates are published in the afternoon, at no fixed time: this late in the business day they are as a rule. */
const PUBLISHED_AFTER_MS = 17 * HOUR_MS;
/** Longer than any poll takes. A poll that was started longer ago has lost its process. */
const LOOK_MAX_MS = 10 * 60_000;
/** Read again each time, for rates that were published late or revised. */
const OVERLAP_DAYS = 7;
/** How far back the first look goes, and one after a long time. */
const CATCH_UP_DAYS_MAX = 365;
const REFUSED_LOGGED_MAX = 20;

/**
 * Loads published rates once a day, where that is switched on, by whichever worker comes first (contract
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
   * Looks once for each day, when its rates should be there, and catches up the days since the last look. A look that
   * fails is made again by a later call.
   *
   * @param signal breaks it off: a later call, ten minutes on, begins it anew
   * @throws PublishedRatesUnavailable when there is no answer that rates could be read from; nothing is saved then
   */
  async execute(signal?: AbortSignal): Promise<void> {
    const { source } = this.config.exchangeRates;
    if (source === 'off') return;
    const now = this.clock.now();
    const day = plainDateOf(new Date(now.getTime() - PUBLISHED_AFTER_MS));
    const unlessBegunAfter = new Date(now.getTime() - LOOK_MAX_MS);
    const begun = await this.polls.begin(source, day, now, unlessBegunAfter);
    if (!begun) return;
    const { rates, refused } = await this.published.ratesSince(firstDay(day, begun.lookedOn), signal);
    if (refused.length > 0) {
      const fields = { source, refused: refused.slice(0, REFUSED_LOGGED_MAX), count: refused.length };
      this.log.warn(fields, 'published rates that cannot be right were left out');
    }
    const saved = await this.importPublishedRates.execute(rates, signal);
    if (signal?.aborted) return;
    // Those of the day may come later than usual. On a holiday they do not come, and are looked for until the next day.
    if (isWeekend(day) || rates.some(({ date }) => date === day)) await this.polls.succeed(source, day);
    this.log.info({ source, day, ...saved }, 'published rates were loaded');
  }
}

/** Days without trade in any case. */
function isWeekend(day: PlainDate): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

function firstDay(day: PlainDate, lookedOn: PlainDate | null): PlainDate {
  const earliest = daysBefore(day, CATCH_UP_DAYS_MAX);
  if (lookedOn === null) return earliest;
  const again = daysBefore(lookedOn, OVERLAP_DAYS);
  return again > earliest ? again : earliest;
}
