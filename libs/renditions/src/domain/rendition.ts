import type { DocumentLanguage } from '@counterfoil/kernel';

export const RENDITION_STAMPS = ['original', 'copy'] as const;
export type RenditionStamp = (typeof RENDITION_STAMPS)[number];

/** The kinds of files that are made of a document. */
export const RENDITION_FORMATS = ['pdf', 'html'] as const;
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

/**
 * Names one rendition of a document. A document that is cancelled, or gets its allocation number, has another rendition
 * from then on; those that were made before stay as they were handed over.
 */
export function variantOf(
  { format, stamp }: RenditionChoice,
  language: DocumentLanguage,
  { cancelled, allocationNumber, isAllocationNumberPending }: DocumentState,
): string {
  const pending = isAllocationNumberPending ? 'pending' : null;
  const allocation = allocationNumber === null ? pending : `no-${allocationNumber}`;
  // PDFs came first, so their names have no format.
  const prefix = format === 'pdf' ? [] : [format];
  const parts = [
    ...prefix,
    stamp,
    language,
    ...(cancelled ? ['cancelled'] : []),
    ...(allocation ? [allocation] : []),
  ];
  return parts.join('.');
}

const HEBREW = /\p{Script=Hebrew}/u;

/** Hebrew if one of the texts is. */
export function languageOf(texts: readonly (string | null)[]): DocumentLanguage {
  return texts.some((text) => text !== null && HEBREW.test(text)) ? 'he' : 'en';
}
