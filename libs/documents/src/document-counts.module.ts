import { Module } from '@nestjs/common';
import { PostgresDocumentCounts } from './adapters/postgres/postgres-document-counts';
import { DocumentCounts } from './application/ports/document-counts';

/** A module of its own for the admin command, because it needs only the database. */
@Module({
  providers: [{ provide: DocumentCounts, useClass: PostgresDocumentCounts }],
  exports: [DocumentCounts],
})
export class DocumentCountsModule {}
