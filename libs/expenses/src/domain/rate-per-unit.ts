import { decimal } from '@counterfoil/kernel';
import type { InShekels } from './expense';

/** Shekels for one unit of the currency: published rates are of 1, 10 or 100 units, which only moves the point. */
export function ratePerUnit({
  exchangeRate,
  exchangeRateUnit,
}: Pick<InShekels, 'exchangeRate' | 'exchangeRateUnit'>): number | null {
  if (exchangeRate === null || exchangeRateUnit === null) return null;
  return decimal(exchangeRate).div(exchangeRateUnit).toNumber();
}
