export { PAYMENTS_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { PAYMENTS_MIGRATIONS } from './adapters/postgres/migrations';
export { AttachPaymentMethod } from './application/attach-payment-method';
export { type StartedOperation } from './application/idempotent-operations';
export { type ChargeChangeInput, ChangeCharge } from './application/change-charge';
export { ChargeRecurringPayment } from './application/charge-recurring-payment';
export { type ChargeInput, CreateCharge } from './application/create-charge';
export {
  type PaymentPageInput,
  CreatePaymentPage,
  type CreatedPaymentPage,
} from './application/create-payment-page';
export { type RecurringPaymentInput, CreateRecurringPayment } from './application/create-recurring-payment';
export { DetachPaymentMethod } from './application/detach-payment-method';
export { EndRecurringPayment } from './application/end-recurring-payment';
export { PAYMENT_EVENTS } from './application/events';
export { PayPage } from './application/pay-page';
export { type PaymentProvider, PaymentProviders } from './application/ports/payment-provider';
export {
  CHARGE_FILTERS,
  type ChargeRecord,
  type PaymentPageRow,
  PaymentsReader,
  type RecurringPaymentRow,
  type SavedCard,
} from './application/ports/payments.reader';
export { SealedCards } from './application/ports/sealed-cards';
export { ResolveProviderRequest } from './application/resolve-provider-request';
export { RecoverProviderRequests } from './application/recover-provider-requests';
export { type Charge, CHARGE_STATUSES, type ChargeStatus, isAuthorizedOnly } from './domain/charge';
export { type Operation, OPERATION_KINDS } from './domain/operation';
export { PAYMENT_PAGE_STATUSES, pageStatusAfter, type PaymentPageStatus } from './domain/payment-page';
export { PaymentsModule } from './payments.module';
export { SealedCardsModule } from './sealed-cards.module';
export { PAYMENT_JOBS } from './application/jobs';
