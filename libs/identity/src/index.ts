export { Authenticate } from './application/authenticate';
export { CreateApiKey, type CreatedKey, type NewKeyInput } from './application/create-api-key';
export { CreateCompany, type CreatedCompany } from './application/create-company';
export { EditCompany } from './application/edit-company';
export { IdentityReader } from './application/ports/identity.reader';
export { RevokeApiKey } from './application/revoke-api-key';
export { type ApiKey } from './domain/api-key';
export { ROUNDINGS, type Company, type CompanySettings, type Rounding } from './domain/company';
export { IdentityModule } from './identity.module';
