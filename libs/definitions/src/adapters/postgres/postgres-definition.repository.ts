import { insertWithId } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DefinitionRepository, type New } from '../../application/ports/definition.repository';
import type { CustomFieldDetails } from '../../domain/custom-field';
import type { DocumentExecutionStatusDetails } from '../../domain/document-execution-status';
import type { SavedReportDetails } from '../../domain/saved-report';
import { CustomFieldSchema, DocumentExecutionStatusSchema, SavedReportSchema } from './definition.schemas';

@Injectable()
export class PostgresDefinitionRepository extends DefinitionRepository {
  override async insertCustomField(tx: Transaction, field: New<CustomFieldDetails>): Promise<number> {
    return insertWithId(tx, CustomFieldSchema, field);
  }

  override async insertExecutionStatus(
    tx: Transaction,
    status: New<DocumentExecutionStatusDetails>,
  ): Promise<number> {
    return insertWithId(tx, DocumentExecutionStatusSchema, status);
  }

  override async insertSavedReport(tx: Transaction, report: New<SavedReportDetails>): Promise<number> {
    return insertWithId(tx, SavedReportSchema, report);
  }
}
