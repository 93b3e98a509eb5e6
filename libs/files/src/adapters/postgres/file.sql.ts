import { statement } from '@counterfoil/database';
import type { KeptFile, StoredBytes } from '../../application/ports/file.reader';
import type { FileEntry } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';

interface OfCompany {
  readonly companyId: number;
}

interface OfFile extends OfCompany {
  readonly id: number;
}

export const FILE_COLUMNS =
  'id, file_name as "fileName", mime_type as "mimeType", size, sha256, created_at as "createdAt"';
const KEPT = `select ${FILE_COLUMNS}, company_id as "companyId", storage_key as "storageKey" from files`;

export const FIND_KEPT = statement<OfFile, KeptFile>(
  'files: kept',
  `${KEPT} where company_id = :companyId and id = :id`,
);

/** A link opens nothing while the company is suspended. */
export const FIND_LINKED = statement<{ readonly ids: readonly number[] }, KeptFile>(
  'files: linked',
  `${KEPT} f where id = any(:ids)
      and not exists (select from companies c where c.id = f.company_id and c.suspended_at is not null)`,
);

export const FIND_ENTRY = statement<OfFile, FileEntry>(
  'files: entry',
  `select id, file_name as "fileName", mime_type as "mimeType", size, sha256
     from files where company_id = :companyId and id = :id`,
);

export const HOLD = statement<OfFile>(
  'files: hold',
  'select from files where company_id = :companyId and id = :id for key share',
);

export const LOCK = statement<OfFile, { readonly storageKey: string }>(
  'files: lock',
  'select storage_key as "storageKey" from files where company_id = :companyId and id = :id for update',
);

export const FIND_USAGE = statement<OfCompany, StorageUsage>(
  'storage_usage: find',
  'select bytes, files from storage_usage where company_id = :companyId',
);

/** Reads one row per company. An index on bytes would make every upload write to it. */
export const FIND_LARGEST = statement<{ readonly limit: number }, StoredBytes>(
  'storage_usage: largest',
  'select company_id as "companyId", bytes from storage_usage order by bytes desc, company_id limit :limit',
);

/** Inserts the row if the company has stored nothing yet, because there would be nothing to lock. */
export const LOCK_USAGE = statement<OfCompany, StorageUsage>(
  'storage_usage: lock',
  `insert into storage_usage as u (company_id, bytes, files) values (:companyId, 0, 0)
   on conflict (company_id) do update set bytes = u.bytes
   returning bytes, files`,
);

/** Skips uploads that are being finished or swept by another worker. */
export const ABANDON_OLD = statement<
  { readonly startedBefore: Date; readonly limit: number; readonly now: Date },
  { readonly storageKey: string }
>(
  'file_uploads: abandon old',
  `update file_uploads set abandoned_at = :now
    where storage_key in (
      select storage_key from file_uploads where started_at < :startedBefore
       order by started_at limit :limit for update skip locked)
    returning storage_key as "storageKey"`,
);

/** Waits for uploads that another process sweeps, because none may be left out. */
export const ABANDON_OF_COMPANY = statement<
  OfCompany & { readonly startedBefore: Date; readonly limit: number; readonly now: Date },
  { readonly storageKey: string }
>(
  'file_uploads: abandon of company',
  `update file_uploads set abandoned_at = :now
    where storage_key in (
      select storage_key from file_uploads
       where company_id = :companyId
          or company_id is null and (abandoned_at is not null or started_at < :startedBefore)
       order by storage_key limit :limit for update)
    returning storage_key as "storageKey"`,
);

/** The maximum of named references of each kind: one receipt may belong to very many expenses. */
const NAMED_MAX = 3;

/**
 * Describes each use of a file in words. `delete-file.integration.spec.ts` compares its columns with the foreign keys
 * to `files`, so that a new one cannot be forgotten here.
 */
export const USES_OF_FILE = statement<OfFile, { readonly use: string }>(
  'files: uses',
  `(select 'the receipt of expense ' || id as use from expenses
     where company_id = :companyId and file_id = :id order by id limit ${NAMED_MAX})
   union all
   (select 'the logo of ' || name from entities
     where company_id = :companyId and logo_file_id = :id order by id limit ${NAMED_MAX})
   union all
   (select 'the logo of the company' from company_logos where company_id = :companyId and file_id = :id)
   union all
   (select 'the logo of issued documents' from document_parties
     where company_id = :companyId and logo_file_id = :id limit 1)
   union all
   (select 'the withholding certificate of ' || name from entities
     where company_id = :companyId and withholding_file_id = :id order by id limit ${NAMED_MAX})
   union all
   (select 'being read for an extraction' from reading_requests
     where company_id = :companyId and file_id = :id and outcome is null limit 1)`,
);
