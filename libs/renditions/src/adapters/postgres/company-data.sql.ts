import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const RENDITIONS_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'statement_files',
    notExported: 'made of documents, which are exported, or of drafts, and removed soon',
    erasure: { why: 'made of documents, which are kept, or of drafts', removes: true },
  },
  {
    table: 'document_originals',
    erasure: { why: 'whether the original of an issued document was handed over' },
  },
  { table: 'renditions', erasure: { why: 'issued documents as they were handed over' } },
];
