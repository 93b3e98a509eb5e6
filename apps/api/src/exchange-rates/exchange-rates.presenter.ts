import type { DayRate, RateRow } from '@counterfoil/expenses';
import type { RateBody } from './exchange-rates.answers';
import type { SaveRatesBody } from './exchange-rates.dto';

export function ratesToSave({ rates }: SaveRatesBody): DayRate[] {
  return rates.map(({ currency, date, rate, unit }) => ({ currency, date, rate, unit: unit ?? 1 }));
}

export function rateRow({ createdAt, updatedAt, ...rate }: RateRow): RateBody {
  return { ...rate, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
