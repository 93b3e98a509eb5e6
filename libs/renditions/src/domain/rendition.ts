import type { DocumentLanguage } from '@counterfoil/kernel';

export const RENDITION_STAMPS = ['original', 'copy'] as const;
export type RenditionStamp = (typeof RENDITION_STAMPS)[number];

/** The kinds of files that are made of a document. */
export const RENDITION_FORMATS = ['pdf'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** The file that a caller asks for. */
export interface RenditionChoice {
  readonly format: RenditionFormat;
  readonly stamp: RenditionStamp;
  /** Null: the language of the company's documents, or that of the document's text. */
  readonly language: DocumentLanguage | null;
}

/** The facts about an issued document that may change, and that its pages show. */
export interface DocumentState {
  readonly cancelled: boolean;
  readonly allocationNumber: string | null;
  readonly isAllocationNumberPending: boolean;
}

/** Names a file by the type and number of its document: `tax-invoice-1042.pdf`. */
export function fileNameOf(
  { type, number }: { readonly type: string; readonly number: number },
  format: RenditionFormat,
): string {
  return `${type.toLowerCase().replaceAll('_', '-')}-${number}.${format}`;
}

/**
 * Names one rendition of a document. A document that is cancelled, or gets its allocation number, has another rendition
 * from then on; those that were made before stay as they were handed over.
 */
export function variantOf(
  { stamp }: RenditionChoice,
  language: DocumentLanguage,
  { cancelled, allocationNumber, isAllocationNumberPending }: DocumentState,
): string {
  const pending = isAllocationNumberPending ? 'pending' : null;
  const allocation = allocationNumber === null ? pending : `no-${allocationNumber}`;
  const parts = [stamp, language, ...(cancelled ? ['cancelled'] : []), ...(allocation ? [allocation] : [])];
  return parts.join('.');
}

const HEBREW = /\p{Script=Hebrew}/u;

/** Hebrew if one of the texts is. */
export function languageOf(texts: readonly (string | null)[]): DocumentLanguage {
  return texts.some((text) => text !== null && HEBREW.test(text)) ? 'he' : 'en';
}
