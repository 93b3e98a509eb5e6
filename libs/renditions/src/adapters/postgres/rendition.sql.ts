import { statement } from '@counterfoil/database';
import type { Rendition, RenditionKey } from '../../application/ports/renditions';

const OF_KEY = 'company_id = :companyId and document_id = :documentId and variant = :variant';

export const FIND_RENDITION = statement<RenditionKey, Rendition>(
  'renditions: find',
  `select content, encode(sha256, 'hex') as sha256 from renditions where ${OF_KEY}`,
  { prepared: true },
);

export const HAS_RENDITION = statement<RenditionKey, { readonly found: boolean }>(
  'renditions: has',
  `select exists (select from renditions where ${OF_KEY}) as found`,
);

export const SAVE_RENDITION = statement<RenditionKey & Rendition>(
  'renditions: save',
  `insert into renditions (company_id, document_id, variant, sha256, content, created_at)
   values (:companyId, :documentId, :variant, decode(:sha256, 'hex'), :content, now())
   on conflict do nothing`,
);
