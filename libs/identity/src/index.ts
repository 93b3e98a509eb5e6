export { IDENTITY_MIGRATIONS } from './adapters/postgres/migrations';
export { Authenticate } from './application/authenticate';
export { CreateApiKey, type NewKeyInput } from './application/create-api-key';
export { CreateCompany } from './application/create-company';
export { EditCompany } from './application/edit-company';
export { KnownRateLimits } from './application/known-rate-limits';
export { IdentityReader } from './application/ports/identity.reader';
export { RevokeApiKey } from './application/revoke-api-key';
export { SetCompanyLimits } from './application/set-company-limits';
export {
  ADDRESSES_MAX,
  type ApiKey,
  isPublishedKey,
  KEY_NAME_LENGTH_MAX,
  type KeyLimits,
} from './domain/api-key';
export { RefusedKey, type KeyRefusal } from './domain/refused-key';
export { TOTAL_ROUNDINGS, type Company, type CompanySettings, type TotalRounding } from './domain/company';
export { type CompanyLimitChanges } from './domain/company-limits';
export { IdentityModule } from './identity.module';
