import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { assertRates, type DayRate } from '../domain/exchange-rate';
import { ExchangeRates, type SavedRates } from './ports/exchange-rates';
import { RevalueExpenses } from './revalue-expenses';

/** How long the caller waits for the conversion of expenses. The worker converts the rest. */
const PATIENCE_MS = 5_000;

/**
 * Saves a company's own rates, which take precedence over published rates of the same day (contract §11.9).
 */
@Injectable()
export class SaveExchangeRates {
  constructor(
    private readonly transactions: Transactions,
    private readonly rates: ExchangeRates,
    private readonly revalueExpenses: RevalueExpenses,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Saves all rates or none. Expenses that had no such rate are converted, usually before the method returns.
   *
   * @throws AppError `VALIDATION_FAILED` for a rate of the shekel, a day out of bounds, or a day that occurs
   * twice
   */
  async execute({ companyId }: Caller, rates: readonly DayRate[]): Promise<SavedRates> {
    assertRates(rates);
    const now = this.clock.now();
    const saved = await this.transactions.run((tx) => this.rates.save(tx, companyId, rates, now));
    try {
      await this.revalueExpenses.follow(saved.arrivalIds, PATIENCE_MS);
    } catch (error) {
      // The rates are saved, so the call succeeds.
      this.log.warn({ error }, 'expenses could not be converted at once; the worker converts them');
    }
    return saved;
  }
}
