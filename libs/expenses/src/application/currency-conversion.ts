import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { inShekels } from '../domain/exchange-rate';
import { type ExpenseDetails, type InShekels, SHEKEL } from '../domain/expense';
import { ExchangeRates } from './ports/exchange-rates';

const WITHOUT_RATE = { exchangeRate: null, exchangeRateUnit: null, exchangeRateDate: null };

/** The amount of an expense in shekels, by the rate that counts on its own date (contract §11.8). */
@Injectable()
export class CurrencyConversion {
  constructor(private readonly rates: ExchangeRates) {}

  /** Before any expense is locked: so nobody who brings expenses to a new rate and waits for them is waited for here. */
  lock(tx: Transaction, companyId: number): Promise<void> {
    return this.rates.lock(tx, companyId);
  }

  /** In the transaction that writes the expense: a rate that arrives meanwhile waits for its end. */
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
