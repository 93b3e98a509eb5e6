import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  type DocumentFile,
  type EInvoiceSyntax,
  fileNameOf,
  mediaTypeOf,
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
      'When left out, `documentLanguage` of the client, or else that of the company, as they were when the document was issued, or else Hebrew if a text of the document is Hebrew, and English otherwise.',
  })
  readonly language?: DocumentLanguage;
}

export function toRenditionChoice(
  format: RenditionFormat,
  { stamp = 'original', language }: DocumentFileQuery,
): RenditionChoice {
  return { format, stamp, language: language ?? null };
}

export function eInvoiceChoice(format: EInvoiceSyntax): RenditionChoice {
  return { format, stamp: 'original', language: null };
}

export function presentFile(file: DocumentFile, format: RenditionFormat): SentContent {
  const { sha256, size } = file;
  const sent = { fileName: fileNameOf(file, format), mimeType: mediaTypeOf(format), size, sha256 };
  return format === 'html' ? { ...sent, isOwnPage: true } : sent;
}
