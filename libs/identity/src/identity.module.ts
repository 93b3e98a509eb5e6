import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  ApiKeySchema,
  CompanyLimitSchema,
  CompanySchema,
  UserSchema,
} from './adapters/postgres/identity.schema';
import { PostgresIdentityReader } from './adapters/postgres/postgres-identity.reader';
import { PostgresIdentityRepository } from './adapters/postgres/postgres-identity.repository';
import { Authenticate } from './application/authenticate';
import { CreateApiKey } from './application/create-api-key';
import { CreateCompany } from './application/create-company';
import { EditCompany } from './application/edit-company';
import { KeyUses } from './application/key-uses';
import { KnownRateLimits } from './application/known-rate-limits';
import { IdentityReader } from './application/ports/identity.reader';
import { IdentityRepository } from './application/ports/identity.repository';
import { RevokeApiKey } from './application/revoke-api-key';
import { SetCompanyLimits } from './application/set-company-limits';

const USE_CASES = [
  Authenticate,
  CreateApiKey,
  CreateCompany,
  EditCompany,
  KnownRateLimits,
  RevokeApiKey,
  SetCompanyLimits,
];

@Module({
  imports: [TypeOrmModule.forFeature([CompanySchema, CompanyLimitSchema, UserSchema, ApiKeySchema])],
  providers: [
    ...USE_CASES,
    KeyUses,
    { provide: IdentityRepository, useClass: PostgresIdentityRepository },
    { provide: IdentityReader, useClass: PostgresIdentityReader },
  ],
  exports: [...USE_CASES, IdentityReader],
})
export class IdentityModule {}
