import { IdempotencyModule } from '@counterfoil/idempotency';
import { Config } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { DocumentsModule } from '@counterfoil/documents';
import { PartiesModule } from '@counterfoil/parties';
import { SchedulingModule } from '@counterfoil/scheduling';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { configuredProviders } from './adapters/configured-providers';
import { PaymentPageSchema, RecurringPaymentSchema } from './adapters/postgres/payment.schemas';
import { PostgresChargeRepository } from './adapters/postgres/postgres-charge.repository';
import { PostgresProviderRequestRepository } from './adapters/postgres/postgres-provider-request.repository';
import { PostgresPaymentMethodRepository } from './adapters/postgres/postgres-payment-method.repository';
import { PostgresPaymentPageRepository } from './adapters/postgres/postgres-payment-page.repository';
import { PostgresPaymentsReader } from './adapters/postgres/postgres-payments.reader';
import { PostgresRecurringPaymentRepository } from './adapters/postgres/postgres-recurring-payment.repository';
import { AttachPaymentMethod } from './application/attach-payment-method';
import { IdempotentOperations } from './application/idempotent-operations';
import { CardTokens } from './application/card-tokens';
import { CardLookup } from './application/card-lookup';
import { ChangeCharge } from './application/change-charge';
import { ChargeRecurringPayment } from './application/charge-recurring-payment';
import { CreateCharge } from './application/create-charge';
import { CreatePaymentPage } from './application/create-payment-page';
import { CreateRecurringPayment } from './application/create-recurring-payment';
import { DetachPaymentMethod } from './application/detach-payment-method';
import { EndRecurringPayment } from './application/end-recurring-payment';
import { ProviderRequests } from './application/provider-requests';
import { PayPage } from './application/pay-page';
import { ChargeRepository } from './application/ports/charge.repository';
import { ProviderRequestRepository } from './application/ports/provider-request.repository';
import { PaymentMethodRepository } from './application/ports/payment-method.repository';
import { PaymentPageRepository } from './application/ports/payment-page.repository';
import { PaymentProviders } from './application/ports/payment-provider';
import { PaymentsReader } from './application/ports/payments.reader';
import { RecurringPaymentRepository } from './application/ports/recurring-payment.repository';
import { RecordOutcome } from './application/record-outcome';
import { ResolveProviderRequest } from './application/resolve-provider-request';
import { RecoverProviderRequests } from './application/recover-provider-requests';

const USE_CASES = [
  AttachPaymentMethod,
  ChangeCharge,
  ChargeRecurringPayment,
  CreateCharge,
  CreatePaymentPage,
  CreateRecurringPayment,
  DetachPaymentMethod,
  EndRecurringPayment,
  PayPage,
  ResolveProviderRequest,
  RecoverProviderRequests,
];

@Module({
  imports: [
    DocumentsModule,
    IdempotencyModule,
    PartiesModule,
    SchedulingModule,
    TypeOrmModule.forFeature([PaymentPageSchema, RecurringPaymentSchema]),
  ],
  providers: [
    ...USE_CASES,
    IdempotentOperations,
    CardLookup,
    CardTokens,
    ProviderRequests,
    RecordOutcome,
    { provide: ChargeRepository, useClass: PostgresChargeRepository },
    { provide: ProviderRequestRepository, useClass: PostgresProviderRequestRepository },
    { provide: PaymentMethodRepository, useClass: PostgresPaymentMethodRepository },
    { provide: PaymentPageRepository, useClass: PostgresPaymentPageRepository },
    { provide: PaymentProviders, inject: [Config, Sql], useFactory: configuredProviders },
    { provide: PaymentsReader, useClass: PostgresPaymentsReader },
    { provide: RecurringPaymentRepository, useClass: PostgresRecurringPaymentRepository },
  ],
  exports: [...USE_CASES, PaymentProviders, PaymentsReader],
})
export class PaymentsModule {}
