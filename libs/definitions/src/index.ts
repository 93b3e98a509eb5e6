export { DEFINITIONS_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { DEFINITIONS_MIGRATIONS } from './adapters/postgres/migrations';
export { CreateCustomField } from './application/create-custom-field';
export { CreateDocumentExecutionStatus } from './application/create-document-execution-status';
export { CreateSavedReport } from './application/create-saved-report';
export { DefinitionReader } from './application/ports/definition.reader';
export { DefinitionsModule } from './definitions.module';
export {
  APPLIES_TO,
  type AppliesTo,
  type CustomField,
  FIELD_TYPES,
  type FieldType,
} from './domain/custom-field';
export { type DocumentExecutionStatus } from './domain/document-execution-status';
export {
  FILTERS_BYTES_MAX,
  FILTERS_DEPTH_MAX,
  type JsonObject,
  type SavedReportRow,
  type SavedReportDetails,
} from './domain/saved-report';
