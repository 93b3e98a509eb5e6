import { type Transaction, Transactions } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';
import { ExchangeRates, type RateOwner, type SavedRates } from '../application/ports/exchange-rates';
import type { DayRate, RateUnit } from '../domain/exchange-rate';

/** Parses `USD 2026-11-20 3.0725`, or with a unit `JPY 2026-11-20 1.971 /100`. */
function rateOf(text: string): DayRate {
  const [currency = '', date = '', rate, unit = '/1'] = text.split(' ');
  return { currency, date, rate: Number(rate), unit: Number(unit.slice(1)) as RateUnit };
}

export const ratesOf = (...texts: string[]): DayRate[] => texts.map(rateOf);

export function inTransaction<T>(
  context: OpenContext,
  work: (tx: Transaction, rates: ExchangeRates) => Promise<T>,
): Promise<T> {
  return context.get(Transactions).run((tx) => work(tx, context.get(ExchangeRates)));
}

/** Saves rates without converting expenses. */
export function givenRates(context: OpenContext, owner: RateOwner, ...texts: string[]): Promise<SavedRates> {
  return inTransaction(context, (tx, rates) => rates.save(tx, owner, ratesOf(...texts), new Date()));
}
