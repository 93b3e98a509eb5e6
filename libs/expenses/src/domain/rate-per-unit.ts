import { decimal } from '@counterfoil/kernel';
import type { InShekels } from './expense';

/**
 * Returns shekels for one unit. Published rates are for 1, 10, 100 or 1000 units, so this only moves the
 * decimal point.
 */
export function ratePerUnit({
  exchangeRate,
  exchangeRateUnit,
}: Pick<InShekels, 'exchangeRate' | 'exchangeRateUnit'>): number | null {
  if (exchangeRate === null || exchangeRateUnit === null) return null;
  return decimal(exchangeRate).div(exchangeRateUnit).toNumber();
}
