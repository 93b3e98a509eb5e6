import { insertRow, Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewRecurringPayment,
  type RecurringPayment,
  RecurringPaymentRepository,
} from '../../application/ports/recurring-payment.repository';
import { RecurringPaymentSchema } from './payment.schemas';
import { FIND_OF_CARD, FIND_RECURRING } from './recurring-payment.sql';

@Injectable()
export class PostgresRecurringPaymentRepository extends RecurringPaymentRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(tx: Transaction, companyId: number, payment: NewRecurringPayment): Promise<void> {
    await insertRow(tx, RecurringPaymentSchema, { ...payment, companyId });
  }

  override find(companyId: number, id: number): Promise<RecurringPayment | null> {
    return this.sql.first(FIND_RECURRING, { companyId, id });
  }

  override async idsOfCard(tx: Transaction, companyId: number, tokenId: number): Promise<number[]> {
    return (await within(tx).rows(FIND_OF_CARD, { companyId, tokenId })).map(({ id }) => id);
  }
}
