import { IdentityModule } from '@counterfoil/identity';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  DocumentItemSchema,
  DocumentPaymentSchema,
  DocumentSchema,
} from './adapters/postgres/document.schema';
import { PostgresDocumentReader } from './adapters/postgres/postgres-document.reader';
import { PostgresDocumentRepository } from './adapters/postgres/postgres-document.repository';
import { IssueDocument } from './application/issue-document';
import { DocumentReader } from './application/ports/document.reader';
import { DocumentRepository } from './application/ports/document.repository';

@Module({
  imports: [
    IdentityModule,
    PartiesModule,
    TypeOrmModule.forFeature([DocumentSchema, DocumentItemSchema, DocumentPaymentSchema]),
  ],
  providers: [
    IssueDocument,
    { provide: DocumentRepository, useClass: PostgresDocumentRepository },
    { provide: DocumentReader, useClass: PostgresDocumentReader },
  ],
  exports: [IssueDocument, DocumentReader],
})
export class DocumentsModule {}
