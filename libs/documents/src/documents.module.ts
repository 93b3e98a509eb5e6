import { CatalogModule } from '@counterfoil/catalog';
import { Config } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { IdentityModule } from '@counterfoil/identity';
import { OutboundHttp, OutboundHttpModule } from '@counterfoil/outbound-http';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DocumentSchema, SettlementSchema } from './adapters/postgres/document.schema';
import { PostgresAccountStatementReader } from './adapters/postgres/postgres-account-statement.reader';
import { PostgresAllocationNumberRequests } from './adapters/postgres/postgres-allocation-number-requests';
import { PostgresDocumentReader } from './adapters/postgres/postgres-document.reader';
import { PostgresDocumentRepository } from './adapters/postgres/postgres-document.repository';
import { PostgresRetainerRepository } from './adapters/postgres/postgres-retainer.repository';
import { PostgresSupplierInvoiceReader } from './adapters/postgres/postgres-supplier-invoice.reader';
import { PostgresSupplierInvoiceRepository } from './adapters/postgres/postgres-supplier-invoice.repository';
import { RetainerSchema } from './adapters/postgres/retainer.schema';
import { configuredTaxAuthority } from './adapters/tax-authority/configured-tax-authority';
import { AllocateReceipt } from './application/allocate-receipt';
import { AllocationNumberInvoices } from './application/allocation-number-invoices';
import { AllocationNumberJobs } from './application/allocation-number-jobs';
import { AssignAllocationNumber } from './application/assign-allocation-number';
import { CancelDocument } from './application/cancel-document';
import { CancelSupplierInvoice } from './application/cancel-supplier-invoice';
import { CloseDocument } from './application/close-document';
import { CreateSupplierInvoice } from './application/create-supplier-invoice';
import { DocumentDrafts } from './application/document-drafts';
import { DocumentTransactions } from './application/document-transactions';
import { IssuanceRules } from './application/issuance-rules';
import { DocumentIssuer, IssueDocument } from './application/issue-document';
import { AccountStatementReader } from './application/ports/account-statement.reader';
import { AllocationNumberRequests } from './application/ports/allocation-number-requests';
import { DocumentReader } from './application/ports/document.reader';
import { DocumentRepository } from './application/ports/document.repository';
import { RetainerRepository } from './application/ports/retainer.repository';
import { SupplierInvoiceReader } from './application/ports/supplier-invoice.reader';
import { SupplierInvoiceRepository } from './application/ports/supplier-invoice.repository';
import { TaxAuthority } from './application/ports/tax-authority';
import { PreviewDocument } from './application/preview-document';
import { RequestAllocationNumber } from './application/request-allocation-number';
import { Settlements } from './application/settlements';
import { RecoverAllocationNumbers } from './application/recover-allocation-numbers';
import { ReadAccountStatement } from './application/read-account-statement';
import { ReadChangeFeed } from './application/read-change-feed';
import { ReadIssuedDocument } from './application/read-issued-document';

const USE_CASES = [
  AllocateReceipt,
  AssignAllocationNumber,
  CancelDocument,
  CancelSupplierInvoice,
  CloseDocument,
  CreateSupplierInvoice,
  IssueDocument,
  PreviewDocument,
  RequestAllocationNumber,
  RecoverAllocationNumbers,
  ReadAccountStatement,
  ReadChangeFeed,
  ReadIssuedDocument,
];

@Module({
  imports: [
    CatalogModule,
    IdempotencyModule,
    IdentityModule,
    OutboundHttpModule,
    PartiesModule,
    TypeOrmModule.forFeature([DocumentSchema, RetainerSchema, SettlementSchema]),
  ],
  providers: [
    ...USE_CASES,
    AllocationNumberInvoices,
    AllocationNumberJobs,
    DocumentDrafts,
    DocumentTransactions,
    DocumentIssuer,
    IssuanceRules,
    Settlements,
    { provide: AccountStatementReader, useClass: PostgresAccountStatementReader },
    { provide: AllocationNumberRequests, useClass: PostgresAllocationNumberRequests },
    { provide: DocumentReader, useClass: PostgresDocumentReader },
    { provide: DocumentRepository, useClass: PostgresDocumentRepository },
    { provide: RetainerRepository, useClass: PostgresRetainerRepository },
    { provide: SupplierInvoiceReader, useClass: PostgresSupplierInvoiceReader },
    { provide: SupplierInvoiceRepository, useClass: PostgresSupplierInvoiceRepository },
    { provide: TaxAuthority, inject: [Config, OutboundHttp, Sql], useFactory: configuredTaxAuthority },
  ],
  exports: [
    ...USE_CASES,
    ...[DocumentReader, SupplierInvoiceReader],
    // For the retainers.
    ...[DocumentDrafts, DocumentIssuer, DocumentTransactions, RetainerRepository],
  ],
})
export class DocumentsModule {}
