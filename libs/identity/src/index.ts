export { IDENTITY_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { IDENTITY_MIGRATIONS } from './adapters/postgres/migrations';
export { Authenticate, type SessionToken } from './application/authenticate';
export { type AskedErasure, type BegunErasure, CompanyErasure } from './application/company-erasure';
export { CreateApiKey, type NewKeyInput } from './application/create-api-key';
export { CreateCompany } from './application/create-company';
export { CreateSession } from './application/create-session';
export { EditCompany } from './application/edit-company';
export { EndSession, sessionScopeOf } from './application/end-session';
export { KnownRateLimits } from './application/known-rate-limits';
export {
  CompanyOperations,
  type CompanyOverview,
  KEYS_COUNTED_MAX,
} from './application/ports/company-operations';
export { IdentityReader } from './application/ports/identity.reader';
export { SessionRepository } from './application/ports/session.repository';
export { RecordExport } from './application/record-export';
export { RevokeApiKey } from './application/revoke-api-key';
export { SetCompanyLimits } from './application/set-company-limits';
export { SuspendCompany } from './application/suspend-company';
export {
  ADDRESSES_MAX,
  type ApiKey,
  isPublishedKey,
  KEY_NAME_LENGTH_MAX,
  type KeyLimits,
} from './domain/api-key';
export { type BankAccount, type CompanyProfile } from './domain/company-profile';
export {
  type CompanyState,
  type CompanyStatus,
  ERASABLE_AFTER_MS,
  noSuchCompany,
  type OperatorNote,
  REASON_LENGTH_MAX,
  statusOf,
} from './domain/company-state';
export { type Session } from './domain/session';
export { RefusedKey, type KeyRefusal } from './domain/refused-key';
export {
  type Company,
  type CompanySettings,
  REMIND_AFTER_MAX,
  REMIND_BEFORE_MAX,
  REMINDER_DAYS_MAX,
  TOTAL_ROUNDINGS,
  type TotalRounding,
} from './domain/company';
export { type CompanyLimitChanges } from './domain/company-limits';
export { IdentityModule } from './identity.module';
