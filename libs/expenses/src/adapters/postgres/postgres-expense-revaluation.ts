import { within } from '@counterfoil/database';
import { Clock, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  ExpenseRevaluation,
  type RateArrival,
  type RevaluedBatch,
  type RevaluedUpTo,
} from '../../application/ports/expense-revaluation';
import { CONVERT, FORGET, LOCK, LOOK, PROCEED, TAKE } from './expense-revaluation.sql';

@Injectable()
export class PostgresExpenseRevaluation extends ExpenseRevaluation {
  constructor(private readonly clock: Clock) {
    super();
  }

  override take(
    tx: Transaction,
    which: { readonly ids: readonly number[] } | { readonly behindId: number },
  ): Promise<RateArrival | null> {
    return 'ids' in which ? within(tx).first(TAKE.given, which) : within(tx).first(TAKE.next, which);
  }

  override async revalue(tx: Transaction, arrival: RateArrival, limit: number): Promise<RevaluedBatch> {
    const looked = await within(tx).rows(LOOK, { arrival, limit });
    const ids = looked.filter(({ isDue }) => isDue).map(({ expenseId }) => expenseId);
    const upTo = looked.length === limit ? (looked.at(-1) ?? null) : null;
    if (ids.length === 0) return { revalued: [], upTo };
    // A separate statement, so that the next one sees the locked rows and their rates in their current state.
    await within(tx).rows(LOCK, { ids });
    return { revalued: await within(tx).rows(CONVERT, { ids, now: this.clock.now() }), upTo };
  }

  override async proceed(tx: Transaction, arrivalId: number, upTo: RevaluedUpTo | null): Promise<void> {
    if (upTo) await within(tx).rows(PROCEED, { arrivalId, upTo });
    else await within(tx).rows(FORGET, { arrivalId });
  }
}
