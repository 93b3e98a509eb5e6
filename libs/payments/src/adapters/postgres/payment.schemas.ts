import { generatedId, money, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { NewPaymentMethod } from '../../application/ports/payment-method.repository';
import type { PaymentPage } from '../../application/ports/payment-page.repository';
import type { RecurringPayment } from '../../application/ports/recurring-payment.repository';
import type { Charge } from '../../domain/charge';

interface Stored {
  readonly companyId: number;
  readonly createdAt: Date;
}

interface StoredMethod extends Omit<NewPaymentMethod, 'sealedToken'>, Stored {
  readonly id: number;
  readonly sealedToken: string | null;
  readonly detachedAt: Date | null;
}

export const PaymentMethodSchema = new EntitySchema<StoredMethod>({
  name: 'PaymentMethod',
  tableName: 'payment_methods',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    provider: { type: 'text' },
    sealedToken: { type: 'text', name: 'sealed_token', nullable: true },
    brand: { type: 'text' },
    last4: { type: 'text' },
    expiryMonth: { type: 'integer', name: 'expiry_month' },
    expiryYear: { type: 'integer', name: 'expiry_year' },
    entityId: { ...wholeNumber, name: 'entity_id', nullable: true },
    saved: { type: 'boolean' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    detachedAt: { type: 'timestamptz', name: 'detached_at', nullable: true },
  },
});

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

interface StoredRecurring extends RecurringPayment, Stored {
  readonly idempotencyKey: string | null;
  readonly fingerprint: Buffer | null;
}

export const RecurringPaymentSchema = new EntitySchema<StoredRecurring>({
  name: 'RecurringPayment',
  tableName: 'recurring_payments',
  columns: {
    id: { ...wholeNumber, primary: true },
    companyId: { ...wholeNumber, name: 'company_id' },
    tokenId: { ...wholeNumber, name: 'payment_method_id' },
    amount: money,
    currency: { type: 'text' },
    entityId: { ...wholeNumber, name: 'entity_id', nullable: true },
    idempotencyKey: { type: 'text', name: 'idempotency_key', nullable: true },
    fingerprint: { type: 'bytea', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});

export const ChargeSchema = new EntitySchema<Charge & Stored>({
  name: 'Charge',
  tableName: 'charges',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    tokenId: { ...wholeNumber, name: 'payment_method_id' },
    paymentPageId: { ...wholeNumber, name: 'payment_page_id', nullable: true },
    recurringPaymentId: { ...wholeNumber, name: 'recurring_payment_id', nullable: true },
    runDate: { type: 'date', name: 'run_date', nullable: true },
    entityId: { ...wholeNumber, name: 'entity_id', nullable: true },
    documentId: { ...wholeNumber, name: 'document_id', nullable: true },
    amount: money,
    currency: { type: 'text' },
    status: { type: 'text' },
    capturedAmount: { ...money, name: 'captured_amount' },
    refundedAmount: { ...money, name: 'refunded_amount' },
    failureCode: { type: 'text', name: 'failure_code', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
});
