import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  type DocumentFile,
  type EInvoiceSyntax,
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

export function eInvoiceChoice(format: EInvoiceSyntax): RenditionChoice {
  return { format, stamp: 'original', language: null };
}

const FILES: Readonly<Record<RenditionFormat, { readonly extension: string; readonly mimeType: string }>> = {
  pdf: { extension: 'pdf', mimeType: 'application/pdf' },
  ubl: { extension: 'ubl.xml', mimeType: 'application/xml' },
  cii: { extension: 'cii.xml', mimeType: 'application/xml' },
};

/** Names the file by the type and number of the document: `tax-invoice-1042.pdf`. */
export function presentFile(
  { type, number, sha256, size }: DocumentFile,
  format: RenditionFormat,
): SentContent {
  const { extension, mimeType } = FILES[format];
  const name = type.toLowerCase().replaceAll('_', '-');
  return { fileName: `${name}-${number}.${extension}`, mimeType, size, sha256 };
}
