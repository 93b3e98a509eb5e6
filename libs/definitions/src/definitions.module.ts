import { IdempotencyModule } from '@counterfoil/idempotency';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  CustomFieldSchema,
  DocumentExecutionStatusSchema,
  SavedReportSchema,
} from './adapters/postgres/definition.schemas';
import { PostgresDefinitionReader } from './adapters/postgres/postgres-definition.reader';
import { PostgresDefinitionRepository } from './adapters/postgres/postgres-definition.repository';
import { CreateCustomField } from './application/create-custom-field';
import { CreateDocumentExecutionStatus } from './application/create-document-execution-status';
import { CreateSavedReport } from './application/create-saved-report';
import { DefinitionReader } from './application/ports/definition.reader';
import { DefinitionRepository } from './application/ports/definition.repository';

const USE_CASES = [CreateCustomField, CreateDocumentExecutionStatus, CreateSavedReport];
const SCHEMAS = [CustomFieldSchema, DocumentExecutionStatusSchema, SavedReportSchema];

@Module({
  imports: [IdempotencyModule, TypeOrmModule.forFeature(SCHEMAS)],
  providers: [
    ...USE_CASES,
    { provide: DefinitionReader, useClass: PostgresDefinitionReader },
    { provide: DefinitionRepository, useClass: PostgresDefinitionRepository },
  ],
  exports: [...USE_CASES, DefinitionReader],
})
export class DefinitionsModule {}
