import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const DOCUMENTS_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'documents', erasure: { why: 'issued documents and their numbers are the books' } },
  {
    table: 'document_items',
    rows: 't.document_id in (select id from documents where company_id = $1)',
    erasure: { why: 'part of the documents' },
  },
  {
    table: 'document_payments',
    rows: 't.document_id in (select id from documents where company_id = $1)',
    erasure: { why: 'part of the documents' },
  },
  { table: 'document_parties', erasure: { why: 'part of the documents, with the logo that they show' } },
  { table: 'document_settlements', erasure: { why: 'which document paid or covered which' } },
  {
    table: 'document_approvals',
    leftOut: { lease_token: SECRET },
    erasure: {
      why: 'requests to the tax authority; there is none left when an erasure begins',
      waitsFor: {
        rows: 'true',
        what: 'requests for allocation numbers that the tax authority has not answered yet',
      },
    },
  },
  {
    table: 'document_change_counts',
    notExported: 'a counter of the service',
    erasure: { why: 'counts the documents' },
  },
  { table: 'supplier_invoices', erasure: { why: 'documents that the company received' } },
  {
    table: 'supplier_invoice_counts',
    notExported: 'a counter of the service',
    erasure: { why: 'counts the supplier invoices' },
  },
  {
    table: 'retainers',
    erasure: {
      why: 'documents name the retainer that issued them; their items are in the documents',
      removes: true,
      sets: { items: `'[]'::json`, send: 'null' },
    },
  },
];
