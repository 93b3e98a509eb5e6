import { insertWithId } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type NewPaymentPage, PaymentPageRepository } from '../../application/ports/payment-page.repository';
import { PaymentPageSchema } from './payment.schemas';

@Injectable()
export class PostgresPaymentPageRepository extends PaymentPageRepository {
  override async insert(tx: Transaction, companyId: number, page: NewPaymentPage): Promise<number> {
    return insertWithId(tx, PaymentPageSchema, { ...page, companyId });
  }
}
