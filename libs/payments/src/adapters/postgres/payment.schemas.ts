import { generatedId, money, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { PaymentPage } from '../../application/ports/payment-page.repository';
import type { RecurringPayment } from '../../application/ports/recurring-payment.repository';

interface Stored {
  readonly companyId: number;
  readonly createdAt: Date;
}

export const PaymentPageSchema = new EntitySchema<PaymentPage & Stored & { readonly pageKey: string }>({
  name: 'PaymentPage',
  tableName: 'payment_pages',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    pageKey: { type: 'text', name: 'page_key' },
    provider: { type: 'text' },
    amount: money,
    currency: { type: 'text' },
    description: { type: 'text' },
    entityId: { ...wholeNumber, name: 'entity_id', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});

export const RecurringPaymentSchema = new EntitySchema<RecurringPayment & Stored>({
  name: 'RecurringPayment',
  tableName: 'recurring_payments',
  columns: {
    id: { ...wholeNumber, primary: true },
    companyId: { ...wholeNumber, name: 'company_id' },
    tokenId: { ...wholeNumber, name: 'payment_method_id' },
    amount: money,
    currency: { type: 'text' },
    entityId: { ...wholeNumber, name: 'entity_id', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});
