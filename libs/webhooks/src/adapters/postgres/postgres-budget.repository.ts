import { purgeInBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { BudgetRepository, type BudgetCharge } from '../../application/ports/budget.repository';
import type { ClaimedDelivery } from '../../application/ports/delivery.repository';
import { CHARGE, OPEN_DAY, PURGE, PUT_OFF, REFUND } from './budget.sql';

@Injectable()
export class PostgresBudgetRepository extends BudgetRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async charge(
    charges: readonly BudgetCharge[],
    day: string,
    max: number,
  ): Promise<ReadonlyMap<number, number>> {
    await this.sql.rows(OPEN_DAY, { charges, day });
    const rows = await this.sql.rows(CHARGE, { charges, day, max });
    return new Map(rows.map(({ companyId, charged }) => [companyId, charged]));
  }

  override async refund(charges: readonly BudgetCharge[], day: string): Promise<void> {
    await this.sql.rows(REFUND, { charges, day });
  }

  override async putOff(
    claims: readonly ClaimedDelivery[],
    times: { readonly now: Date; readonly until: Date },
    limit: number,
  ): Promise<void> {
    await this.sql.rows(PUT_OFF, { claims, ...times, limit });
  }

  override purge(day: string, signal: AbortSignal): Promise<void> {
    return purgeInBatches((batch) => this.sql.rows(PURGE, { day, batch }), signal);
  }
}
