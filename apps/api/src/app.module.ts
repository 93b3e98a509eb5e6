import { AuditLogModule } from '@counterfoil/audit-log';
import { CatalogModule } from '@counterfoil/catalog';
import { type Config, ConfigModule } from '@counterfoil/config';
import { DatabaseModule } from '@counterfoil/database';
import { DefinitionsModule } from '@counterfoil/definitions';
import { DocumentsModule, RetainersModule } from '@counterfoil/documents';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { ExchangeRatesModule, ExpensesModule, ExtractionModule } from '@counterfoil/expenses';
import { FilesModule } from '@counterfoil/files';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { IdentityModule } from '@counterfoil/identity';
import { InventoryModule } from '@counterfoil/inventory';
import { releaseVersion } from '@counterfoil/lifecycle';
import { MailModule, MailQueueModule } from '@counterfoil/mail';
import { Log, ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { PartiesModule } from '@counterfoil/parties';
import { PaymentsModule } from '@counterfoil/payments';
import { QueueModule } from '@counterfoil/queue';
import { RateLimitsModule } from '@counterfoil/rate-limits';
import { RenditionsModule } from '@counterfoil/renditions';
import { RequestLogModule } from '@counterfoil/request-log';
import { JOBS } from '@counterfoil/schema';
import { SharingModule } from '@counterfoil/sharing';
import { TracingModule } from '@counterfoil/tracing';
import { WebhooksModule } from '@counterfoil/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AuditController } from './audit/audit.controller';
import { ClientsController } from './clients/clients.controller';
import { StatementsController } from './clients/statements.controller';
import { CustomFieldsController } from './definitions/custom-fields.controller';
import { DocumentExecutionStatusesController } from './definitions/document-execution-statuses.controller';
import { SavedReportsController } from './definitions/saved-reports.controller';
import { DocumentActionsController } from './documents/document-actions.controller';
import { DocumentFilesController } from './documents/document-files.controller';
import { DocumentSharesController } from './documents/document-shares.controller';
import { DocumentsController } from './documents/documents.controller';
import { IssuingController } from './documents/issuing.controller';
import { DocumentLinksController } from './documents/document-links.controller';
import { ExchangeRatesController } from './exchange-rates/exchange-rates.controller';
import { ExtractionController } from './expenses/extraction.controller';
import { ExpensesController } from './expenses/expenses.controller';
import { FilesController } from './files/files.controller';
import { ChargesController } from './gateway/charges.controller';
import { PaymentPagesController } from './gateway/payment-pages.controller';
import { RecurringPaymentsController } from './gateway/recurring-payments.controller';
import { SandboxPagesController } from './gateway/sandbox-pages.controller';
import { TokensController } from './gateway/tokens.controller';
import { HealthController } from './health/health.controller';
import { ApiErrorFilter } from './http/api-error.filter';
import { AuthorizeRequest } from './http/authorize-request';
import { Drain } from './http/drain';
import { LimitRequests } from './http/limit-requests';
import { createValidationPipe } from './http/validation';
import { ApiKeysController } from './identity/api-keys.controller';
import { CallerController } from './identity/caller.controller';
import { CompanyController } from './identity/company.controller';
import { SessionsController } from './identity/sessions.controller';
import { InventoryController } from './inventory/inventory.controller';
import { WarehousesController } from './inventory/warehouses.controller';
import { MailsController } from './mail/mails.controller';
import { RemindersController } from './mail/reminders.controller';
import { AddressesController } from './parties/addresses.controller';
import { ContactsController } from './parties/contacts.controller';
import { PricelistsController } from './pricelists/pricelists.controller';
import { ProductsController } from './products/products.controller';
import { PurchaseController } from './supplier-invoices/supplier-invoices.controller';
import { RequestsController } from './requests/requests.controller';
import { RetainersController } from './retainers/retainers.controller';
import { VendorsController } from './vendors/vendors.controller';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller';
import { KeyWatch } from './webhooks/key-watch';
import { WebhookStreamController } from './webhooks/webhook-stream.controller';
import { WebhooksController } from './webhooks/webhooks.controller';

const CONTROLLERS = [
  HealthController,
  ApiKeysController,
  SessionsController,
  CallerController,
  AuditController,
  RequestsController,
  CompanyController,
  CustomFieldsController,
  DocumentExecutionStatusesController,
  SavedReportsController,
  FilesController,
  AddressesController,
  ContactsController,
  ClientsController,
  StatementsController,
  VendorsController,
  DocumentsController,
  DocumentActionsController,
  DocumentFilesController,
  DocumentSharesController,
  DocumentLinksController,
  IssuingController,
  MailsController,
  RemindersController,
  RetainersController,
  ExtractionController,
  ExpensesController,
  ExchangeRatesController,
  PricelistsController,
  PurchaseController,
  ProductsController,
  WarehousesController,
  InventoryController,
  TokensController,
  ChargesController,
  PaymentPagesController,
  RecurringPaymentsController,
  SandboxPagesController,
  WebhookStreamController,
  WebhooksController,
  WebhookDeliveriesController,
];

/** The composition root of the API, which serves requests and runs no jobs. */
@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        ObservabilityModule.register('api'),
        TracingModule.register({ name: 'api', version: releaseVersion() }),
        DatabaseModule.register('counterfoil-api', config.statementTimeoutMs),
        QueueModule.register(JOBS),
        OutboxModule,
        AuditLogModule,
        RequestLogModule,
        IdempotencyModule,
        IdentityModule,
        DefinitionsModule,
        FilesModule,
        PartiesModule,
        CatalogModule,
        InventoryModule,
        DocumentsModule,
        RetainersModule.register(MailQueueModule),
        ExpensesModule,
        ExchangeRatesModule,
        ExtractionModule,
        PaymentsModule,
        RenditionsModule,
        MailModule,
        SharingModule,
        WebhooksModule.register(EVENT_CATALOGUE),
        RateLimitsModule,
      ],
      controllers: CONTROLLERS,
      providers: [
        AuthorizeRequest,
        Drain,
        KeyWatch,
        LimitRequests,
        { provide: APP_PIPE, useFactory: createValidationPipe },
        { provide: APP_FILTER, inject: [Log], useFactory: (log: Log) => new ApiErrorFilter(log) },
      ],
    };
  }
}
