import type { RowOf } from '@counterfoil/sdk';
import type { Series } from '../../parts/series.ts';

export type Rate = RowOf<'GET /exchange-rates'>;

/** The last rate of each currency, by code. Of one day, the company's own rate counts. */
export function lastOfEach(newestFirst: readonly Rate[]): readonly Rate[] {
  const last = new Map<string, Rate>();
  for (const rate of newestFirst) {
    const known = last.get(rate.currency);
    if (!known || (known.date === rate.date && rate.source === 'company')) last.set(rate.currency, rate);
  }
  return [...last.values()].sort((one, other) => one.currency.localeCompare(other.currency));
}

/** Rates of one currency over time, by source; all for as many units as the newest one. */
export function seriesOf(
  newestFirst: readonly Rate[],
  nameOf: (source: Rate['source']) => string,
): readonly Series[] {
  const unit = newestFirst[0]?.unit ?? 1;
  return (['published', 'company'] as const)
    .map((source) => ({
      ...{ id: source, name: nameOf(source) },
      points: newestFirst
        .filter((rate) => rate.source === source)
        .map((rate) => ({ day: rate.date, value: (rate.rate / rate.unit) * unit }))
        .reverse(),
    }))
    .filter(({ points }) => points.length > 0);
}

/** A rate as the API takes it: above 0, with at most 4 decimals. */
export const isRate = (text: string): boolean =>
  /^\d{1,8}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0;
