import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertRates, type DayRate } from '../domain/exchange-rate';
import { ExchangeRates, type SavedRates } from './ports/exchange-rates';
import { RevalueExpenses } from './revalue-expenses';

/** Rates saved in one transaction. Writers of expenses in a foreign currency wait for it. */
const BATCH = 1_000;

/** Saves published rates, which apply to every company (contract §11.10). */
@Injectable()
export class ImportPublishedRates {
  constructor(
    private readonly transactions: Transactions,
    private readonly rates: ExchangeRates,
    private readonly revalueExpenses: RevalueExpenses,
    private readonly clock: Clock,
  ) {}

  /**
   * Saves rates in batches, then converts the expenses that had no such rate. After an interruption, call it
   * again to complete the import. The worker converts the remaining expenses.
   *
   * @param rates each currency and day at most once
   * @param signal stops after the current batch
   * @throws AppError `VALIDATION_FAILED` for a rate of the shekel, or a day out of bounds
   */
  async execute(
    rates: Iterable<DayRate> | AsyncIterable<DayRate>,
    signal?: AbortSignal,
  ): Promise<Omit<SavedRates, 'arrivalIds'>> {
    let saved = { added: 0, revised: 0 };
    const arrivalIds = new Set<number>();
    for await (const batch of batchesOf(rates)) {
      if (signal?.aborted) break;
      assertRates(batch);
      const now = this.clock.now();
      const one = await this.transactions.run((tx) => this.rates.save(tx, null, batch, now));
      saved = { added: saved.added + one.added, revised: saved.revised + one.revised };
      for (const id of one.arrivalIds) arrivalIds.add(id);
    }
    await this.revalueExpenses.follow([...arrivalIds], Infinity, signal);
    return saved;
  }
}

async function* batchesOf(rates: Iterable<DayRate> | AsyncIterable<DayRate>): AsyncIterable<DayRate[]> {
  let batch: DayRate[] = [];
  for await (const rate of rates) {
    batch.push(rate);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
