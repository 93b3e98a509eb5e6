import { generatedId, percent, wholeNumber } from '@counterfoil/database';
import type { PlainDate, Role } from '@counterfoil/kernel';
import { EntitySchema } from 'typeorm';
import type { NewSession } from '../../application/ports/session.repository';
import type { KeyLimits } from '../../domain/api-key';
import type { Company } from '../../domain/company';
import type { CompanyLimit } from '../../domain/company-limits';

export interface CompanyRow extends Omit<Company, 'logoFileId' | 'reminderDays'> {
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
  readonly erasureBeganAt: Date | null;
  readonly erasedAt: Date | null;
  readonly recordsKeptUntil: PlainDate | null;
}

export const CompanySchema = new EntitySchema<CompanyRow>({
  name: 'Company',
  tableName: 'companies',
  columns: {
    id: generatedId,
    name: { type: 'text' },
    taxId: { type: 'text', name: 'tax_id', nullable: true },
    defaultPaymentTermType: { type: 'text', name: 'default_payment_term_type' },
    defaultPaymentTermDays: { type: 'integer', name: 'default_payment_term_days' },
    defaultWithholdingTaxRate: { ...percent, name: 'default_withholding_tax_rate' },
    defaultVatRate: { ...percent, name: 'default_vat_rate' },
    roundDocumentTotal: { type: 'text', name: 'round_document_total' },
    booksClosedUntil: { type: 'date', name: 'books_closed_until', nullable: true },
    legalName: { type: 'text', name: 'legal_name', nullable: true },
    address: { type: 'jsonb', nullable: true },
    phoneNumber: { type: 'text', name: 'phone_number', nullable: true },
    email: { type: 'text', nullable: true },
    website: { type: 'text', nullable: true },
    bankAccounts: { type: 'jsonb', name: 'bank_accounts' },
    documentFooter: { type: 'text', name: 'document_footer', nullable: true },
    accentColor: { type: 'text', name: 'accent_color', nullable: true },
    documentLanguage: { type: 'text', name: 'document_language', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    suspendedAt: { type: 'timestamptz', name: 'suspended_at', nullable: true },
    erasureBeganAt: { type: 'timestamptz', name: 'erasure_began_at', nullable: true },
    erasedAt: { type: 'timestamptz', name: 'erased_at', nullable: true },
    recordsKeptUntil: { type: 'date', name: 'records_kept_until', nullable: true },
  },
});

export interface CompanyLimitRow {
  readonly companyId: number;
  readonly name: CompanyLimit;
  readonly value: number | null;
}

export const CompanyLimitSchema = new EntitySchema<CompanyLimitRow>({
  name: 'CompanyLimit',
  tableName: 'company_limits',
  columns: {
    companyId: { ...wholeNumber, name: 'company_id', primary: true },
    name: { type: 'text', primary: true },
    value: { ...wholeNumber, nullable: true },
  },
});

export interface UserRow {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
  readonly createdAt: Date;
}

export const UserSchema = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    name: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});

export interface ApiKeyRow extends KeyLimits {
  readonly id: number;
  readonly companyId: number;
  readonly userId: number;
  readonly role: Role;
  readonly name: string | null;
  readonly keyHash: Buffer;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export const ApiKeySchema = new EntitySchema<ApiKeyRow>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    userId: { ...wholeNumber, name: 'user_id' },
    role: { type: 'text' },
    name: { type: 'text', nullable: true },
    keyHash: { type: 'bytea', name: 'key_hash' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    lastUsedAt: { type: 'timestamptz', name: 'last_used_at', nullable: true },
    revokedAt: { type: 'timestamptz', name: 'revoked_at', nullable: true },
    expiresAt: { type: 'timestamptz', name: 'expires_at', nullable: true },
    addresses: { type: 'text', array: true, nullable: true },
  },
});

export interface SessionRow extends NewSession {
  readonly id: number;
}

export const SessionSchema = new EntitySchema<SessionRow>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    apiKeyId: { ...wholeNumber, name: 'api_key_id' },
    tokenHash: { type: 'bytea', name: 'token_hash' },
    userAgent: { type: 'text', name: 'user_agent', nullable: true },
    address: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    expiresAt: { type: 'timestamptz', name: 'expires_at' },
  },
});
