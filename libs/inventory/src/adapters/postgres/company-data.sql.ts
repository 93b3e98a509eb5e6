import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const INVENTORY_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'warehouses',
    erasure: {
      why: 'the stock ledger names its warehouses; those without stock records are removed',
      removes: true,
      sets: { address_id: 'null' },
    },
  },
  { table: 'stock_records', erasure: { why: 'the stock ledger is a part of the books' } },
  {
    table: 'stock_movements',
    erasure: { why: 'the stock ledger is a part of the books, and never changes' },
  },
];
