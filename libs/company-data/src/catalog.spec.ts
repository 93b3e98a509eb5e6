import { Catalog } from './catalog';
import type { CompanyTable, TableErasure } from './company-table';

const shape = (table: string, ...columns: string[]) => ({ table, columns, primaryKey: ['id'] });
const declared = (table: string, erasure: Omit<TableErasure, 'why'> = {}): CompanyTable => ({
  table,
  erasure: { why: 'a test', ...erasure },
});
const reference = (from: string, column: string, to: string) => ({
  ...{ from, to },
  ...{ fromColumns: [column], toColumns: ['id'] },
});

const CATALOG = new Catalog(
  [
    shape('files', 'id', 'company_id'),
    shape('expenses', 'id', 'company_id', 'file_id'),
    shape('parties', 'id', 'company_id', 'logo_id', 'address_id', 'parent_id'),
    shape('addresses', 'id', 'company_id'),
    shape('lines', 'id', 'expense_id'),
  ],
  [
    reference('expenses', 'file_id', 'files'),
    reference('parties', 'logo_id', 'files'),
    reference('parties', 'address_id', 'addresses'),
    reference('parties', 'parent_id', 'parties'),
    reference('lines', 'expense_id', 'expenses'),
  ],
);
const PARTIES = declared('parties', { sets: { logo_id: 'null', address_id: 'null' } });
const REMOVED = { removes: true } as const;

describe('the tables that keep rows', () => {
  it('are those that are not removed, and those to which they still refer', () => {
    const tables = [
      ...[declared('files', REMOVED), declared('addresses', REMOVED)],
      ...[PARTIES, declared('expenses'), declared('lines', { removedWith: 'expenses' })],
    ];
    expect([...CATALOG.keeping(tables)].sort()).toEqual(['expenses', 'files', 'parties']);
  });

  it('include tables to which only a kept row of a removed table refers', () => {
    const tables = [declared('files', REMOVED), declared('expenses', REMOVED), declared('lines')];
    expect([...CATALOG.keeping(tables)].sort()).toEqual(['expenses', 'files', 'lines']);
  });

  it('are none where everything is removed', () => {
    const tables = ['files', 'expenses', 'addresses'].map((table) => declared(table, REMOVED));
    expect(CATALOG.keeping(tables).size).toBe(0);
  });
});

describe('references', () => {
  it('put each table before those that it refers to', () => {
    const tables = [declared('files'), declared('expenses'), declared('addresses'), PARTIES];
    const order = CATALOG.referringFirst(tables).map(({ table }) => table);
    expect(order.indexOf('expenses')).toBeLessThan(order.indexOf('files'));
    expect(order.indexOf('parties')).toBeLessThan(order.indexOf('addresses'));
  });

  it('cannot be put in an order if they form a cycle', () => {
    const cyclic = new Catalog(
      [shape('a', 'id', 'b_id'), shape('b', 'id', 'a_id')],
      [reference('a', 'b_id', 'b'), reference('b', 'a_id', 'a')],
    );
    const tables = [declared('a'), declared('b')];
    expect(() => cyclic.referringFirst(tables)).toThrow('tables refer to each other in a cycle');
  });

  it('become conditions that name the company if both tables have it', () => {
    expect(CATALOG.unreferenced('addresses')).toBe(
      'not exists (select from parties r where r.company_id = t.company_id and r.address_id = t.id)',
    );
    expect(CATALOG.unreferenced('expenses')).toBe(
      'not exists (select from lines r where r.expense_id = t.id)',
    );
    expect(CATALOG.unreferenced('parties')).toBe('true');
  });
});

it('names a table that the database does not have', () => {
  expect(() => CATALOG.shapeOf('unknown')).toThrow('the database has no table unknown: migrate it');
});
