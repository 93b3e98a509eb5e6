import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const CATALOG_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'pricelist_entries',
    rows: 't.entity_id in (select id from entities where company_id = $1)',
    erasure: { why: 'prices that vendors offered', removes: true },
  },
  {
    table: 'product_serials',
    rows: 't.product_id in (select id from products where company_id = $1)',
    erasure: { why: 'no document refers to them', removes: true },
  },
  {
    table: 'products',
    erasure: {
      why: 'the stock ledger names its products',
      sets: { buying_price: 'null', selling_price: 'null' },
      setsUnused: { name: `'erased'`, sku: `'erased'`, manufacturer_sku: 'null', unit: 'null' },
    },
  },
];
