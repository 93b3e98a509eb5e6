import { DOCUMENT_TYPES } from '@counterfoil/documents';

/** The document types in the spelling that the documentation uses in paths: `tax-invoice`. */
export const WRITTEN_TYPES = DOCUMENT_TYPES.map((type) => type.toLowerCase().replaceAll('_', '-'));

/** Both spellings of the document types in a path. */
export const DOCUMENT_TYPES_IN_PATHS: readonly string[] = [...WRITTEN_TYPES, ...DOCUMENT_TYPES];
