import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewRecurringPayment,
  type RecurringPayment,
  RecurringPaymentRepository,
} from '../../application/ports/recurring-payment.repository';
import { RecurringPaymentSchema } from './payment.schemas';

@Injectable()
export class PostgresRecurringPaymentRepository extends RecurringPaymentRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(tx: Transaction, companyId: number, payment: NewRecurringPayment): Promise<void> {
    await managerOf(tx).insert(RecurringPaymentSchema, { ...payment, companyId });
  }

  override async find(companyId: number, id: number): Promise<RecurringPayment | null> {
    const [found] = await this.sql.rows<RecurringPayment>(
      `select id, payment_method_id as "tokenId", amount, currency, entity_id as "entityId"
         from recurring_payments where company_id = $1 and id = $2`,
      [companyId, id],
    );
    return found ?? null;
  }

  override async idsOfCard(tx: Transaction, companyId: number, tokenId: number): Promise<number[]> {
    const rows = await managerOf(tx).query<{ id: number }[]>(
      'select id from recurring_payments where company_id = $1 and payment_method_id = $2 order by id',
      [companyId, tokenId],
    );
    return rows.map(({ id }) => id);
  }
}
