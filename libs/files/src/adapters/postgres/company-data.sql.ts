import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const FILES_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'files',
    leftOut: { storage_key: SECRET },
    erasure: {
      why: 'receipts of expenses and withholding certificates are vouchers of the books, and issued documents show logos; the others are not',
      removes: true,
      // Old enough for RemoveAbandonedUploads, which removes the bytes, and then these rows.
      noting: `insert into file_uploads (company_id, storage_key, started_at, abandoned_at)
               select company_id, storage_key, now() - interval '2 hours', now() from removed`,
    },
  },
  {
    table: 'file_uploads',
    notExported: 'bytes that belong to no file',
    erasure: {
      why: 'removed last, with the bytes of removed files and of failed uploads',
      removedWith: 'files',
    },
  },
  {
    table: 'storage_usage',
    notExported: 'a counter of the service',
    erasure: { why: 'counts the files that are left' },
  },
];
