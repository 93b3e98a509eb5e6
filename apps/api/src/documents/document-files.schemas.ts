import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  type DocumentFile,
  RENDITION_STAMPS,
  type RenditionChoice,
  type RenditionFormat,
  type RenditionStamp,
} from '@counterfoil/renditions';
import type { SentContent } from '../files/content-headers';
import { ChoiceField } from '../http/fields';

export class DocumentFileQuery {
  @ChoiceField({
    presence: 'edit',
    choices: RENDITION_STAMPS,
    description: 'The mark on the pages; `original` when left out.',
  })
  readonly stamp?: RenditionStamp;
  @ChoiceField({
    presence: 'edit',
    choices: DOCUMENT_LANGUAGES,
    description:
      'When left out, `documentLanguage` of the company as it was when the document was issued, or else the language of the texts.',
  })
  readonly language?: DocumentLanguage;
}

export function toRenditionChoice(
  format: RenditionFormat,
  { stamp = 'original', language }: DocumentFileQuery,
): RenditionChoice {
  return { format, stamp, language: language ?? null };
}

const MEDIA_TYPES: Readonly<Record<RenditionFormat, string>> = { pdf: 'application/pdf', html: 'text/html' };

/** Names the file by the type and number of the document: `tax-invoice-1042.pdf`. */
export function presentDocumentFile(
  format: RenditionFormat,
  { type, number, sha256, size }: DocumentFile,
): SentContent {
  const name = type.toLowerCase().replaceAll('_', '-');
  const sent = { fileName: `${name}-${number}.${format}`, mimeType: MEDIA_TYPES[format], size, sha256 };
  return format === 'html' ? { ...sent, isOwnPage: true } : sent;
}
