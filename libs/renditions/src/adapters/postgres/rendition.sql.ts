import { statement } from '@counterfoil/database';
import type { Rendition, RenditionKey, StoredRendition } from '../../application/ports/renditions';

const OF_KEY = 'company_id = :companyId and document_id = :documentId and variant = :variant';

export const FIND_RENDITION = statement<RenditionKey, StoredRendition>(
  'renditions: find',
  `select encode(sha256, 'hex') as sha256, octet_length(content) as size from renditions where ${OF_KEY}`,
  { prepared: true },
);

export const CONTENT = statement<RenditionKey, { readonly content: Buffer }>(
  'renditions: content',
  `select content from renditions where ${OF_KEY}`,
  { prepared: true },
);

export const SAVE_RENDITION = statement<RenditionKey & Rendition>(
  'renditions: save',
  `insert into renditions (company_id, document_id, variant, sha256, content, created_at)
   values (:companyId, :documentId, :variant, decode(:sha256, 'hex'), :content, now())
   on conflict do nothing`,
);
