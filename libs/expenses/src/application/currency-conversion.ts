import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { inShekels } from '../domain/exchange-rate';
import { type ExpenseDetails, type InShekels, SHEKEL } from '../domain/expense';
import { ExchangeRates } from './ports/exchange-rates';

const WITHOUT_RATE = { exchangeRate: null, exchangeRateUnit: null, exchangeRateDate: null };

/** Converts the amount of an expense to shekels with the rate that applies on its date (contract §11.8). */
@Injectable()
export class CurrencyConversion {
  constructor(private readonly rates: ExchangeRates) {}

  /**
   * Takes the shared rate lock. Call it before locking an expense; otherwise this may deadlock with
   * `RevalueExpenses`.
   */
  lock(tx: Transaction, companyId: number): Promise<void> {
    return this.rates.lock(tx, companyId);
  }

  /**
   * Call it in the transaction that writes the expense: concurrent writers of rates wait until that
   * transaction ends.
   */
  async convert(
    tx: Transaction,
    companyId: number,
    { date, currency, total }: Pick<ExpenseDetails, 'date' | 'currency' | 'total'>,
  ): Promise<InShekels> {
    if (currency === SHEKEL) return { totalInILS: total, ...WITHOUT_RATE };
    await this.lock(tx, companyId);
    const rate = await this.rates.rateOn(tx, companyId, currency, date);
    if (!rate) return { totalInILS: null, ...WITHOUT_RATE };
    return {
      totalInILS: inShekels(total, rate),
      exchangeRate: rate.rate,
      exchangeRateUnit: rate.unit,
      exchangeRateDate: rate.date,
    };
  }
}
