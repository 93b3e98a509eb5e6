import { statement } from '@counterfoil/database';
import type { Rendition, StoredRendition } from '../../application/ports/renditions';
import type { TemporaryFileKey } from '../../application/ports/temporary-files';

// The table is named after statements of account, whose files came first. A release with another name for it could not
// run beside one before it during an upgrade.

const OF_KEY = 'company_id = :companyId and variant = :variant';

export const FIND_TEMPORARY_FILE = statement<TemporaryFileKey, StoredRendition>(
  'temporary files: find',
  `select encode(sha256, 'hex') as sha256, octet_length(content) as size from statement_files where ${OF_KEY}`,
);

export const TEMPORARY_FILE_CONTENT = statement<TemporaryFileKey, { readonly content: Buffer }>(
  'temporary files: content',
  `select content from statement_files where ${OF_KEY}`,
);

/** Of a company. Callers wait for the newest ones; each other period, language or draft is another file. */
const KEPT = 32;

export const TRIM_TEMPORARY_FILES = statement<{ readonly companyId: number }>(
  'temporary files: trim',
  `delete from statement_files where company_id = :companyId and variant in (
     select variant from statement_files where company_id = :companyId order by created_at desc offset ${KEPT})`,
);

export const SAVE_TEMPORARY_FILE = statement<TemporaryFileKey & Rendition>(
  'temporary files: save',
  `insert into statement_files (company_id, variant, sha256, content, created_at)
   values (:companyId, :variant, decode(:sha256, 'hex'), :content, now())
   on conflict do nothing`,
);

export const PURGE_TEMPORARY_FILES = statement<{ readonly before: Date; readonly batch: number }>(
  'temporary files: purge',
  `with old as (
     select company_id, variant from statement_files where created_at < :before limit :batch for update skip locked
   )
   delete from statement_files f using old where f.company_id = old.company_id and f.variant = old.variant
   returning 1`,
);
