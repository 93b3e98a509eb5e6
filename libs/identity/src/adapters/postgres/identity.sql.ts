import { statement } from '@counterfoil/database';
import type { PlainDate } from '@counterfoil/kernel';
import type { KeyUse, StoredKey } from '../../application/ports/identity.repository';
import type { Company } from '../../domain/company';
import type { CompanyLimit } from '../../domain/company-limits';

interface OfCompany {
  readonly companyId: number;
}

export const FIND_COMPANY = statement<OfCompany, Company>(
  'identity: company',
  `select id, name, tax_id as "taxId", default_payment_term_type as "defaultPaymentTermType",
          default_payment_term_days as "defaultPaymentTermDays",
          default_withholding_tax_rate as "defaultWithholdingTaxRate", default_vat_rate as "defaultVatRate",
          round_document_total as "roundDocumentTotal", books_closed_until as "booksClosedUntil",
          legal_name as "legalName", address, phone_number as "phoneNumber", email, website,
          bank_accounts as "bankAccounts", document_footer as "documentFooter", accent_color as "accentColor",
          document_language as "documentLanguage",
          (select l.file_id from company_logos l where l.company_id = companies.id) as "logoFileId",
          coalesce((select r.days from company_reminders r where r.company_id = companies.id), '{}') as "reminderDays"
     from companies where id = :companyId`,
  { prepared: true },
);

/** Null removes the logo. */
export const SET_LOGO = statement<OfCompany & { readonly fileId: number | null }>(
  'identity: set logo',
  `with removed as (
     delete from company_logos where company_id = :companyId and :fileId::bigint is null
   )
   insert into company_logos (company_id, file_id)
   select :companyId, :fileId::bigint where :fileId::bigint is not null
   on conflict (company_id) do update set file_id = excluded.file_id`,
);

/** An empty list turns reminders off. The same list again changes nothing. */
export const SET_REMINDERS = statement<OfCompany & { readonly days: readonly number[] }>(
  'identity: set reminders',
  `with removed as (
     delete from company_reminders where company_id = :companyId and cardinality(:days::integer[]) = 0
   )
   insert into company_reminders as r (company_id, days, changed_at)
   select :companyId, :days::integer[], now() where cardinality(:days::integer[]) > 0
   on conflict (company_id) do update set days = excluded.days, changed_at = excluded.changed_at
    where r.days <> excluded.days`,
);

export const BOOKS_CLOSED_UNTIL = statement<OfCompany, { readonly day: PlainDate | null }>(
  'identity: books closed',
  'select books_closed_until as day from companies where id = :companyId',
);

export const LIMITS = statement<OfCompany, { readonly limit: CompanyLimit; readonly value: number | null }>(
  'identity: limits',
  'select name as "limit", value from company_limits where company_id = :companyId',
);

/** Documents under way are committed first; later ones see the change. */
export const LOCK_DOCUMENTS = statement<OfCompany>(
  'identity: lock documents',
  'select lock_documents(:companyId)',
);

/** Finds no company whose erasure has begun: it gets no more keys, limits or settings. */
export const LOCK_COMPANY = statement<OfCompany>(
  'identity: lock company',
  'select from companies where id = :companyId and erasure_began_at is null for key share',
);

export const LOCK_KEYS = statement<OfCompany>(
  'identity: lock keys',
  'select from companies where id = :companyId for no key update',
);

/** The keys with one of the hashes given, revoked and expired ones and those of suspended companies too. */
export const FIND_KEYS = statement<{ readonly hashes: readonly Buffer[] }, StoredKey>(
  'identity: keys by hash',
  `select k.id as "apiKeyId", k.company_id as "companyId", k.user_id as "userId", k.role, k.key_hash as "keyHash",
          k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", k.expires_at as "expiresAt", k.addresses,
          c.suspended_at as "suspendedAt"
     from api_keys k join companies c on c.id = k.company_id 
    where k.key_hash = any ((select :hashes::bytea[])::bytea[])`,
  { prepared: true },
);

export const KEYS_IN_USE = statement<{ readonly apiKeyIds: readonly number[] }, { readonly id: number }>(
  'identity: keys in use',
  `select k.id from api_keys k join companies c on c.id = k.company_id
    where k.id = any (:apiKeyIds::bigint[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and c.suspended_at is null`,
);

export const COMPANY_OF_KEY = statement<{ readonly keyHash: Buffer }, OfCompany>(
  'identity: company of a key',
  'select company_id as "companyId" from api_keys where key_hash = :keyHash',
);

/** Skips locked keys, so that it never waits for a lock while it holds others. */
export const RECORD_USES = statement<{ readonly uses: readonly KeyUse[] }>(
  'identity: record uses of keys',
  `with used as (
     select * from unnest((select :uses.apiKeyId::bigint[]), (select :uses.at::timestamptz[])) as u (id, at)
   ), held as (
     select k.id, u.at from api_keys k join used u on u.id = k.id
      where k.last_used_at is null or k.last_used_at < u.at - interval '1 minute'
        for no key update of k skip locked
   )
   update api_keys k set last_used_at = held.at from held where k.id = held.id`,
  { prepared: true },
);
