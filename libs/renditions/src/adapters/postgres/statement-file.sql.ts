import { statement } from '@counterfoil/database';
import type { Rendition, StoredRendition } from '../../application/ports/renditions';
import type { StatementKey } from '../../application/ports/statement-files';

const OF_KEY = 'company_id = :companyId and variant = :variant';

export const FIND_STATEMENT = statement<StatementKey, StoredRendition>(
  'statement files: find',
  `select encode(sha256, 'hex') as sha256, octet_length(content) as size from statement_files where ${OF_KEY}`,
);

export const STATEMENT_CONTENT = statement<StatementKey, { readonly content: Buffer }>(
  'statement files: content',
  `select content from statement_files where ${OF_KEY}`,
);

/** Of a company. Callers wait for the newest ones; each other period or language is another file. */
const KEPT = 32;

export const TRIM_STATEMENTS = statement<{ readonly companyId: number }>(
  'statement files: trim',
  `delete from statement_files where company_id = :companyId and variant in (
     select variant from statement_files where company_id = :companyId order by created_at desc offset ${KEPT})`,
);

export const SAVE_STATEMENT = statement<StatementKey & Rendition>(
  'statement files: save',
  `insert into statement_files (company_id, variant, sha256, content, created_at)
   values (:companyId, :variant, decode(:sha256, 'hex'), :content, now())
   on conflict do nothing`,
);

export const PURGE_STATEMENTS = statement<{ readonly before: Date; readonly batch: number }>(
  'statement files: purge',
  `with old as (
     select company_id, variant from statement_files where created_at < :before limit :batch for update skip locked
   )
   delete from statement_files f using old where f.company_id = old.company_id and f.variant = old.variant
   returning 1`,
);
