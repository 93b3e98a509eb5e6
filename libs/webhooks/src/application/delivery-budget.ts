import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { BudgetRepository } from './ports/budget.repository';
import type { ClaimedDelivery } from './ports/delivery.repository';

/** The maximum of deliveries of one endpoint that a claim over the budget postpones. The next claim postpones more. */
const PUT_OFF_BATCH = 1_000;

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Returns the start of the next day in UTC, as the budget counts days. */
function dayAfter(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + 1));
}

/**
 * Limits the attempts of a company per day (`WEBHOOK_DAILY_BUDGET`). Further deliveries wait for the next
 * day.
 */
@Injectable()
export class DeliveryBudget {
  constructor(
    private readonly budgets: BudgetRepository,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Charges the companies of claimed deliveries. Deliveries beyond the budget are postponed, together with
   * other due deliveries of the same endpoints.
   *
   * @returns the deliveries that may be sent
   */
  async charge(claims: readonly ClaimedDelivery[]): Promise<readonly ClaimedDelivery[]> {
    const { webhookDailyBudget } = this.config;
    if (webhookDailyBudget === null || claims.length === 0) return claims;
    const now = this.clock.now();
    const left = await this.budgets.charge(chargesOf(claims), dayOf(now), webhookDailyBudget);
    const [allowed, over] = split(claims, new Map(left));
    if (over.length > 0) {
      const until = dayAfter(now);
      await this.budgets.putOff(over, { now, until }, PUT_OFF_BATCH);
      const companyIds = [...new Set(over.map(({ companyId }) => companyId))];
      this.log.warn(
        { companyIds, until },
        'companies have used up their daily budget; their deliveries wait for the next day',
      );
    }
    return allowed;
  }

  /** Returns the budget of attempts that were not made. */
  async refund(claims: readonly ClaimedDelivery[]): Promise<void> {
    if (this.config.webhookDailyBudget === null || claims.length === 0) return;
    await this.budgets.refund(chargesOf(claims), dayOf(this.clock.now()));
  }

  /** Deletes the counts of past days. */
  async purge(signal: AbortSignal): Promise<void> {
    await this.budgets.purge(dayOf(this.clock.now()), signal);
  }
}

function chargesOf(claims: readonly ClaimedDelivery[]) {
  const attempts = new Map<number, number>();
  for (const { companyId } of claims) attempts.set(companyId, (attempts.get(companyId) ?? 0) + 1);
  return [...attempts].map(([companyId, count]) => ({ companyId, attempts: count }));
}

function split(claims: readonly ClaimedDelivery[], left: Map<number, number>) {
  const [allowed, over]: [ClaimedDelivery[], ClaimedDelivery[]] = [[], []];
  // In order of creation, because claims are not ordered.
  for (const claim of [...claims].sort((a, b) => a.id - b.id)) {
    const remaining = left.get(claim.companyId) ?? 0;
    left.set(claim.companyId, remaining - 1);
    (remaining > 0 ? allowed : over).push(claim);
  }
  return [allowed, over] as const;
}
