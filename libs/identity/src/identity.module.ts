import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  ApiKeySchema,
  CompanyLimitSchema,
  CompanySchema,
  SessionSchema,
  UserSchema,
} from './adapters/postgres/identity.schema';
import { PostgresIdentityReader } from './adapters/postgres/postgres-identity.reader';
import { PostgresIdentityRepository } from './adapters/postgres/postgres-identity.repository';
import { PostgresSessionRepository } from './adapters/postgres/postgres-session.repository';
import { Authenticate } from './application/authenticate';
import { PostgresCompanyOperations } from './adapters/postgres/postgres-company-operations';
import { CompanyErasure } from './application/company-erasure';
import { CreateApiKey } from './application/create-api-key';
import { CreateCompany } from './application/create-company';
import { CreateSession } from './application/create-session';
import { EditCompany } from './application/edit-company';
import { EndSession } from './application/end-session';
import { KeyUses } from './application/key-uses';
import { KnownRateLimits } from './application/known-rate-limits';
import { CompanyOperations } from './application/ports/company-operations';
import { IdentityReader } from './application/ports/identity.reader';
import { IdentityRepository } from './application/ports/identity.repository';
import { SessionRepository } from './application/ports/session.repository';
import { RecordExport } from './application/record-export';
import { RevokeApiKey } from './application/revoke-api-key';
import { SetCompanyLimits } from './application/set-company-limits';
import { SuspendCompany } from './application/suspend-company';

const USE_CASES = [
  Authenticate,
  CompanyErasure,
  CreateApiKey,
  CreateCompany,
  CreateSession,
  EditCompany,
  EndSession,
  KnownRateLimits,
  RecordExport,
  RevokeApiKey,
  SetCompanyLimits,
  SuspendCompany,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([CompanySchema, CompanyLimitSchema, UserSchema, ApiKeySchema, SessionSchema]),
  ],
  providers: [
    ...USE_CASES,
    KeyUses,
    { provide: IdentityRepository, useClass: PostgresIdentityRepository },
    { provide: CompanyOperations, useClass: PostgresCompanyOperations },
    { provide: SessionRepository, useClass: PostgresSessionRepository },
    { provide: IdentityReader, useClass: PostgresIdentityReader },
  ],
  exports: [...USE_CASES, CompanyOperations, IdentityReader, SessionRepository],
})
export class IdentityModule {}
