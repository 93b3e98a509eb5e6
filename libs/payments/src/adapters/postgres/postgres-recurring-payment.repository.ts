import { isUniqueViolation, managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { RetryKeyTaken } from '../../application/ports/charge.repository';
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

  override async insert(
    tx: Transaction,
    companyId: number,
    { retryKey, ...payment }: NewRecurringPayment,
  ): Promise<void> {
    const { key: idempotencyKey = null, fingerprint = null } = retryKey ?? {};
    try {
      await managerOf(tx).insert(RecurringPaymentSchema, {
        ...payment,
        companyId,
        idempotencyKey,
        fingerprint,
      });
    } catch (error) {
      throw isUniqueViolation(error, 'recurring_payments_retry') ? new RetryKeyTaken() : error;
    }
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

  override async under(
    companyId: number,
    key: string,
  ): Promise<{ readonly id: number; readonly fingerprint: Buffer } | null> {
    const [found] = await this.sql.rows<{ id: number; fingerprint: Buffer }>(
      'select id, fingerprint from recurring_payments where company_id = $1 and idempotency_key = $2',
      [companyId, key],
    );
    return found ?? null;
  }
}
